# Image of mete. Without arguments it serves the HTTP API on port 7001; arguments
# are those of mete: `docker run mete:VERSION predict net.onnx`.
#
# `./dev images` builds it: the context holds the program in root/, and BASE is a
# Debian 12 image that may have the packages already.
ARG BASE=debian:12-slim
FROM ${BASE}
# What mete is linked with, and what it loads: XGBoost for `mete train`, Clp and
# Cbc for placement.
ARG PACKAGES="ca-certificates coinor-libcbc3 coinor-libclp1 libfmt9 libonnx1 libre2-9 libsimdjson14 libsqlite3-0 libssl3 libxgboost0 libyaml-cpp0.7"
RUN dpkg -s ${PACKAGES} >/dev/null 2>&1 || \
    { apt-get update && \
      apt-get install -y --no-install-recommends ${PACKAGES} && \
      rm -rf /var/lib/apt/lists/*; }
COPY root/ /
RUN useradd --system --uid 7001 --user-group --home-dir /var/lib/mete mete && \
    install -d -o mete -g mete -m 0700 /var/lib/mete
USER mete
ENV HOME=/var/lib/mete METE_STATE=/var/lib/mete METE_STORE=sqlite:/var/lib/mete/mete.db
VOLUME /var/lib/mete
EXPOSE 7001
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["mete-health", "7001"]
ENTRYPOINT ["mete"]
# Whoever reaches the published port may ask for predictions. Everything else
# needs a token, which the server writes to /var/lib/mete at its first start.
CMD ["serve", "--listen", "0.0.0.0:7001", "--insecure"]
