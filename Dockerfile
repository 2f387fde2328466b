# Tandem as an image: `docker build -t tandem .`, or `docker compose up` with compose.yaml.
# See docs/deploy/README.md.

# Builds with npm and the development dependencies, and leaves what the service needs at run time.
FROM node:26-bookworm-slim AS build
WORKDIR /app
# Copied first, so that changes in code alone don't reinstall the dependencies.
COPY package.json package-lock.json .npmrc ./
COPY bench/package.json bench/
COPY client/package.json client/
COPY contract/package.json contract/
COPY mcp/package.json mcp/
COPY seed/package.json seed/
COPY server/package.json server/
COPY testing/package.json testing/
COPY web/package.json web/
RUN npm ci
COPY . .
RUN npm run build
RUN npm prune --omit=dev && rm -rf node_modules/node-linux-*/include

# Node comes from npm with the other dependencies, so this stage needs no Node image.
FROM debian:bookworm-slim
# Node needs libatomic1. Without ffmpeg, videos get no poster; leave it out with `--build-arg FFMPEG=`.
ARG FFMPEG=ffmpeg
RUN apt-get update \
    && apt-get install -y --no-install-recommends libatomic1 $FFMPEG \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin tandem \
    && install --directory --owner=tandem --group=tandem --mode=0700 /data
WORKDIR /app
# Owned by root: the service can't change its own code.
COPY --from=build /app ./
# `docker build --build-arg SOURCE_COMMIT=$(git rev-parse HEAD)`, for the metric tandem_build_info.
ARG SOURCE_COMMIT=
ENV SOURCE_COMMIT=$SOURCE_COMMIT
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/app/node_modules/.bin:$PATH
VOLUME /data
EXPOSE 3000
# By number, so that Kubernetes can tell it isn't root.
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["node", "-e", "process.exitCode = (await fetch(`http://127.0.0.1:${process.env.PORT}/healthz`)).ok ? 0 : 1"]
CMD ["node", "--max-semi-space-size=8", "server/dist/main.js"]
