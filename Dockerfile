# Moorage as one image: `serve` by default; `worker`, `migrate`, `doctor` … as arguments.

FROM node:24-bookworm-slim AS packages
WORKDIR /srv/moorage
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund
COPY scripts scripts
COPY migrations migrations
COPY src src
RUN node scripts/database.js
# What makes the bundle stays behind, and so does what root has compiled of it.
RUN node scripts/build.js && rm -r dist/*/cache/* node_modules/esbuild node_modules/@esbuild

FROM node:24-bookworm-slim AS sites
WORKDIR /srv/moorage
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/package.json
COPY examples/discord-bot/package.json examples/discord-bot/package.json
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY SECURITY.md ./
COPY scripts scripts
COPY docs docs
COPY client client
COPY web web
COPY src/platform/pages src/platform/pages
COPY src/lib src/lib
RUN node scripts/documentation.js && node scripts/reference.js && node web/build.js

FROM node:24-bookworm-slim AS moorage
ENV NODE_ENV=production HOST=0.0.0.0 MOORAGE_DATA_DIR=/var/lib/moorage
WORKDIR /srv/moorage
COPY --from=packages /srv/moorage/node_modules node_modules
COPY --from=packages /srv/moorage/dist dist
COPY --from=packages /srv/moorage/prepared prepared
COPY --from=sites /srv/moorage/docs/.vitepress/dist docs/.vitepress/dist
COPY --from=sites /srv/moorage/docs/.reference docs/.reference
COPY --from=sites /srv/moorage/web/dist web/dist
COPY package.json package-lock.json LICENSE ./
COPY migrations migrations
COPY src src
RUN install -d -o node -g node -m 0700 /var/lib/moorage && install -d -o node -g node dist/*/cache
USER node
# The bundle becomes code once, here: a start would take twice as long.
RUN node src/main.js openapi > /dev/null
VOLUME /var/lib/moorage
EXPOSE 3000
# A worker answers too, where MOORAGE_PROBE_PORT is 3000.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/v1/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/main.js"]
CMD ["serve"]

# The service `backup` of compose.yaml: the same image with the tools of PostgreSQL that ops/backup.sh needs. Their
# version is that of the server in compose.yaml.
FROM moorage AS backup
USER root
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates postgresql-common \
  && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
  && apt-get install --yes --no-install-recommends postgresql-client-17 \
  && rm -rf /var/lib/apt/lists/*
COPY ops/backup.sh ops/nightly-backup.sh ops/
RUN install -d -o node -g node -m 0700 /backups
USER node
VOLUME /backups
HEALTHCHECK NONE
ENTRYPOINT ["ops/nightly-backup.sh"]
CMD []

# `docker build .` without a target builds the image of the service.
FROM moorage
