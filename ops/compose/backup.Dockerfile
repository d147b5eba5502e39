# The image of the service, with the tools of PostgreSQL that ops/backup.sh needs. Their version is that of the
# server in compose.yaml. `docker compose build` makes the image `moorage` first.
FROM moorage
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
