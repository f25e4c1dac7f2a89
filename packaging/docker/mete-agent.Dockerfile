# Image of mete-agent: metrics of the machine that runs the container, on port
# 5001. It needs the machine's files, process ids and network:
#   docker run --pid host --network host -v /:/host:ro mete-agent:VERSION
#
# `./dev images` builds it: the context holds the program in root/, and BASE is a
# Debian 12 image that may have the packages already.
ARG BASE=debian:12-slim
FROM ${BASE}
ARG PACKAGES="libfmt9 libssl3 libyaml-cpp0.7"
RUN dpkg -s ${PACKAGES} >/dev/null 2>&1 || \
    { apt-get update && \
      apt-get install -y --no-install-recommends ${PACKAGES} && \
      rm -rf /var/lib/apt/lists/*; }
COPY root/ /
RUN install -d -o nobody -g nogroup -m 0700 /var/lib/mete-agent
USER 65534:65534
EXPOSE 5001
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["mete-health", "5001"]
ENTRYPOINT ["mete-agent"]
# mete measures the inference engine, but is not part of this image.
CMD ["--listen", "0.0.0.0:5001", "--root", "/host", "--state", "/var/lib/mete-agent", "--no-hooks", "--no-measure"]
