# The stock host: docker build -t signed-registry . ; docs/deployment.md says how it is run.
# This image has a C compiler, for Streebog in native code: used where the host's processor has AVX-512 and GFNI (decision 27).
FROM node:24 AS build
WORKDIR /registry
COPY . .
# Types were checked by CI. Node 24 has an SQLite of its own, and the compilers stay behind.
RUN npm ci --omit=dev --no-audit --no-fund \
 && node packaging/compile.mjs \
 && (node core/registry/native/compile.mjs || true) \
 && node packaging/remove-compilers.mjs && rm -rf node_modules/@photostructure

FROM node:24-slim
ENV NODE_ENV=production DATA_DIR=/data HOST=0.0.0.0 NODE_COMPILE_CACHE=/data/compiled
COPY --from=build /registry /registry
RUN ln -s /registry/host/bundle/signed-registry.js /usr/local/bin/signed-registry && install -d -o node -g node -m 700 /data
WORKDIR /registry
USER node
VOLUME /data
EXPOSE 8080 8443
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Room for young objects: a registration takes a sixth less processor time, the host 60 MiB more (docs/performance.md).
CMD ["node", "--max-semi-space-size=32", "host/bundle/signed-registry.js", "start"]
