# shellcheck shell=bash
# Shows what mete does on this machine, with a separate store and state
# folder. Sourced by ./dev.

# demo METE FOLDER
demo() {
  local mete=$1 folder=$2 networks=(lenet5 squeezenet1.1 mobilenet-v2 lstm) name
  rm -rf "$folder"
  mkdir -p "$folder"
  cd "$folder" || exit
  # Prints the command as a user would type it, then runs it.
  shown() {
    printf '\n$ mete %s\n' "$*"
    METE_STATE=$folder "$mete" --store "sqlite:$folder/demo.db" "$@"
  }
  printf 'In %s, with a separate store:\n' "$folder"
  shown zoo build networks --only "${networks[@]}"
  shown describe networks/mobilenet-v2.onnx
  for name in lenet5 squeezenet1.1; do
    tolerate_unstable shown measure "networks/$name.onnx" --max-duration 10s
  done
  shown measure --memory 64Mi --timeout 10s -- sha256sum networks/mobilenet-v2.onnx
  shown session run "$root/examples/session.yaml" --out session
  shown runs list
  demo_agent
  demo_contention
  demo_prediction
  printf '\nThe program is %s; try it on your own ONNX model.\n' "$mete"
}

# Shows some of the metrics that mete-agent exposes. Called by demo.
demo_agent() {
  local pid
  printf '\n$ mete-agent --listen 127.0.0.1:5001 &\n'
  "$mete-agent" --listen 127.0.0.1:5001 --state "$folder/agent" \
    --hook-folder "$folder/agent/hooks" --no-measure --user "$(id -un)" \
    >agent.log 2>&1 &
  pid=$!
  for _ in $(seq 50); do
    curl -s -o /dev/null http://127.0.0.1:5001/healthz && break
    sleep 0.1
  done
  printf "\$ curl -s http://127.0.0.1:5001/metrics | grep -E '…'\n"
  curl -s -S http://127.0.0.1:5001/metrics | grep -E \
    '^(mete_device_(info|cores|memory_bytes|load_average)|char_node_device_model|mete_containers |process_resident)' || {
    kill "$pid"
    cat agent.log
    exit 1
  }
  kill "$pid"
  wait "$pid" || true
}

# Two services that slow each other down: predicted from the published campaign on
# two cores, then measured here. Called by demo; uses `shown`.
demo_contention() {
  local measuring=(--apps tclf-rf-small,tstr-lstm-small --rates 100 --window 2s
    --settle 300ms --out contention --export-table contention.csv)
  shown train contention --from "$root/examples/contention-2core/table.csv.gz"
  shown predict --together tclf-rf-small@100,tstr-lstm-small:4@100
  shown contend baseline "${measuring[@]}"
  shown contend pairwise --instances 4 "${measuring[@]}"
  # Mean service times of the pair that was predicted above.
  awk -F, '$8 == "tclf-rf-small" && $9 == 1 { own[$1] = $15 }
    $2 == "baseline" && $8 == "tclf-rf-small" { alone = $15 }
    $2 == "pairwise" && $8 == "tstr-lstm-small" && $9 == 4 { beside[$1] }
    END {
      for (mix in beside) if (own[mix] > 0 && alone > 0)
        printf "\nMeasured here: tclf-rf-small takes %.2f ms alone, %.2f ms beside "\
          "four tstr-lstm-small: %.2f times as long.\n",
          1000 * alone, 1000 * own[mix], own[mix] / alone
    }' contention.csv
}

# From nothing to a verified prediction: devices, a collection, a predictor, the
# service, and a check by running the networks. Called by demo; uses `shown`.
demo_prediction() {
  if ! shown devices add small --emulate --cpus 0.25 --memory 1Gi; then
    printf '\nDevices cannot be emulated here, because that requires root and cgroups.
The rest of the demo is skipped.\n'
    return
  fi
  shown devices add middle --emulate --cpus 0.5 --memory 1Gi
  shown devices add large --emulate --cpus 1 --memory 2Gi
  shown devices list
  shown collect --networks sample:14 --device small,middle,large --load 0,40 \
    --seconds 0.5s
  shown train latency
  tolerate_misses shown predict networks/squeezenet1.1.onnx \
    networks/mobilenet-v2.onnx --device small,middle,large --check
  demo_service
  demo_placement
}

# Starts a network where it is predicted to run best, and plans a dozen
# applications on the three devices. Called by demo_prediction; uses `shown`.
demo_placement() {
  local examples=$root/examples/placement
  shown place networks/lenet5.onnx --device small,middle,large
  shown place stop lenet5
  shown place --apps "$examples/apps.yaml" --servers "$examples/servers.yaml" \
    --gap 0 --plan plan.json
}

# Sends a request of the PEPPER profiler to the service.
demo_service() {
  local pid question
  question='{"model": "mobilenet-v2", "conv_layers": 52, "pool_layers": 1,
 "fc_layers": 1, "filter_details": 17056, "total_parameters": 3539054,
 "model_input_size": 602112, "model_output_size": 4000}'
  printf '\n$ mete serve --listen 127.0.0.1:7001 &\n'
  METE_STATE=$folder "$mete" --store "sqlite:$folder/demo.db" serve \
    --listen 127.0.0.1:7001 >serve.log 2>&1 &
  pid=$!
  for _ in $(seq 50); do
    curl -s -o /dev/null http://127.0.0.1:7001/healthz && break
    sleep 0.1
  done
  printf "\$ curl -H 'Content-Type: application/json' -d '%s' \\\\\n" "$question"
  printf '    http://127.0.0.1:7001/api/profiling\n'
  curl -s -S --fail-with-body -H 'Content-Type: application/json' \
    -d "$question" http://127.0.0.1:7001/api/profiling || {
    kill "$pid"
    cat serve.log
    exit 1
  }
  printf '\n'
  kill "$pid"
  wait "$pid" || true
}

# Exit code 4 is not a failure: on a busy machine the measurement does not become
# stable in the time allowed, and mete reports that.
tolerate_unstable() {
  local status=0
  "$@" || status=$?
  case $status in
    0) ;;
    4) printf '(exit code 4: unstable; the run is kept and marked as unstable)\n' ;;
    *) exit "$status" ;;
  esac
}

# A small collection predicts some times badly; the table shows which.
tolerate_misses() {
  local status=0
  "$@" || status=$?
  case $status in
    0) ;;
    3) printf '(exit code 3: a measured time is outside its interval)\n' ;;
    *) exit "$status" ;;
  esac
}
