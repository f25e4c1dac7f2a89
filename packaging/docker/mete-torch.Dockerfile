# Image of mete-torch: training and inference of the reference networks as
# workloads: `docker run mete-torch:VERSION train --epochs 2`. It is no server, so
# it has no health check.
#
# `./dev images` builds it: the context holds the program in root/, and BASE is a
# Debian 12 image that may have the packages already.
ARG BASE=debian:12-slim
FROM ${BASE}
ARG PACKAGES="libfmt9 libmatio11 libonnx1 libopenblas0-pthread libssl3 libtorch1.13 libyaml-cpp0.7"
RUN dpkg -s ${PACKAGES} >/dev/null 2>&1 || \
    { apt-get update && \
      apt-get install -y --no-install-recommends ${PACKAGES} && \
      rm -rf /var/lib/apt/lists/*; }
COPY root/ /
RUN useradd --system --uid 7001 --user-group --home-dir /var/lib/mete-torch mete && \
    install -d -o mete -g mete /var/lib/mete-torch
USER mete
ENV HOME=/var/lib/mete-torch
WORKDIR /var/lib/mete-torch
ENTRYPOINT ["mete-torch"]
CMD ["--help"]
