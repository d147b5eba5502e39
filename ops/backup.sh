#!/usr/bin/env bash
# Backups of an installation, and proof that they can be used.
#
#   ops/backup.sh make FOLDER      writes FOLDER/<time>: the database, the documents, their checksums
#   ops/backup.sh check BACKUP     restores it into a database of its own, runs `moorage doctor` on it, and
#                                  removes that database again
#   ops/backup.sh restore BACKUP   restores it to where the settings point, where nothing is yet, and runs
#                                  `moorage doctor` there
#
# Reads the settings the service is started with: DATABASE_URL, MOORAGE_SECRET_KEY, MOORAGE_DATA_DIR, FILES_URL; the
# first two may be in files, as DATABASE_URL_FILE and MOORAGE_SECRET_KEY_FILE. With DATABASE_URL it wants pg_dump,
# pg_restore and psql of the server's version or newer, and a user that is a superuser, or owns the database and has
# BYPASSRLS; `check` also makes a database.
# Without DATABASE_URL it copies the embedded database, which no process may have open meanwhile.
#
# The secret key is in no backup: keep a copy of it where the backups are not.
set -euo pipefail

readonly root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
data=${MOORAGE_DATA_DIR:-./data}
export PGOPTIONS=${PGOPTIONS:-'-c client_min_messages=warning'}

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

for name in DATABASE_URL MOORAGE_SECRET_KEY; do
  file=${name}_FILE
  if [[ -n ${!file:-} ]]; then
    text=$(<"${!file}")
    export "$name=$text"
    unset "$file"
  fi
done

node() {
  local own=$root/node_modules/.bin/node
  if [[ -x $own ]]; then "$own" "$@"; else command node "$@"; fi
}

# The folder of the documents: FILES_URL, else beside the embedded database. None where they are in an
# object storage, which has ways of its own to keep what it holds.
files_folder() {
  case ${FILES_URL:-} in
    '') printf '%s\n' "$data/files" ;;
    s3:*) ;;
    *) node -p 'require("node:url").fileURLToPath(process.env.FILES_URL)' ;;
  esac
}

# Sets `server` to the address in DATABASE_URL without the password. The tools get the password from the environment:
# every user of the machine can read the arguments of a process.
use_address() {
  local password
  password=$(address_part 'decodeURIComponent(url.password) || (url.searchParams.get("password") ?? "")')
  if [[ -n $password ]]; then export PGPASSWORD=$password; fi
  server=$(address_part 'url.password = "", url.search = url.search.replace(/(?<=[?&])password=[^&]*&?/, ""), url.href')
}

# Points DATABASE_URL at another database of the same server.
use_database() {
  DATABASE_URL=$(address_part "url.pathname = '/$1', url.href")
  use_address
}

# An expression of the `url` in DATABASE_URL.
address_part() {
  node -p "const url = new URL(process.env.DATABASE_URL); $1" 2>/dev/null ||
    fail 'DATABASE_URL: this is not a valid address.'
}

query() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --dbname "$server" --command "$1"
}

# Files that are open belong to a process that may write them.
assert_stopped() {
  local folder
  folder=$(realpath "$1")
  if [[ -n $(find /proc/[0-9]*/fd -lname "$folder/*" -print -quit 2>/dev/null) ]]; then
    fail "A process has $folder open. Stop the service first."
  fi
}

make() {
  [[ -d $1 ]] || fail "There is no folder $1."
  local files target draft
  files=$(files_folder)
  target=$(realpath "$1")/$(date -u +%Y-%m-%dT%H%M%SZ)
  [[ ! -e $target ]] || fail "$target is there already."
  if [[ -z ${DATABASE_URL:-} ]]; then
    [[ -d $data/database ]] || fail "There is no database in $data."
    assert_stopped "$data/database"
  fi
  draft=$target.part
  umask 077
  mkdir "$draft"
  # shellcheck disable=SC2064 # What it is now, not what it is then.
  trap "rm -rf '$draft'" EXIT
  # The database before the documents: those it names are there by then, and never change.
  if [[ -n ${DATABASE_URL:-} ]]; then
    pg_dump --format=custom --no-owner --file "$draft/database.dump" --dbname "$server"
  else
    tar -C "$data" -czf "$draft/database.tar.gz" database
  fi
  if [[ -z $files ]]; then
    printf 'The documents are in an object storage, which this does not copy.\n'
  elif [[ -d $files ]]; then
    tar -C "$files" -cf "$draft/files.tar" .
  fi
  (cd "$draft" && sha256sum -- * >SHA256SUMS)
  sync "$draft"/* "$draft"
  mv "$draft" "$target"
  printf 'Made %s (%s).\n' "$target" "$(du -sh "$target" | cut -f1)"
}

assert_whole() {
  [[ -f $1/SHA256SUMS ]] || fail "$1 is no backup."
  (cd "$1" && sha256sum --check --quiet SHA256SUMS) || fail "$1 is damaged."
}

# A check that was killed leaves its database; one of today may still be in use.
drop_stale() {
  local name
  for name in $(query "select datname from pg_database
    where datname ~ '^moorage_check_[0-9]{14}_[0-9]+\$'
      and substr(datname, 15, 14) < to_char(now() at time zone 'utc' - interval '1 day', 'YYYYMMDDHH24MISS')"); do
    query "drop database if exists $name with (force)"
  done
}

# Fills an empty database on a server, as whoever its address names.
fill() {
  local backup=$1
  query "do \$\$ begin
    if not exists (select from pg_roles where rolname = 'moorage_app') then
      create role moorage_app nologin;
    end if;
  end \$\$"
  pg_restore --exit-on-error --no-owner --dbname "$server" "$backup/database.dump"
  query analyze
}

doctor() {
  if (cd "$root" && node src/main.js doctor); then
    printf 'The backup was restored, and is in order: %s\n' "$1"
  else
    fail "The backup was restored, and is not in order: $1"
  fi
}

check() {
  local backup=$1 scratch
  assert_whole "$backup"
  scratch=$(mktemp -d)
  if [[ -f $backup/database.dump ]]; then
    [[ -n ${DATABASE_URL:-} ]] || fail 'DATABASE_URL: this is the backup of a PostgreSQL server.'
    local name=moorage_check_$(date -u +%Y%m%d%H%M%S)_$$
    # shellcheck disable=SC2064 # What it is now, not what it is then.
    trap "rm -rf '$scratch'; server=$(printf %q "$server") query 'drop database if exists $name with (force)'" EXIT
    drop_stale
    query "create database $name template template0"
    use_database "$name"
    fill "$backup"
  else
    # shellcheck disable=SC2064
    trap "rm -rf '$scratch'" EXIT
    unset DATABASE_URL
    if [[ -z ${MOORAGE_SECRET_KEY:-} && -f $data/secret.key ]]; then
      export MOORAGE_SECRET_KEY
      MOORAGE_SECRET_KEY=$(<"$data/secret.key")
    fi
    export MOORAGE_DATA_DIR=$scratch
    tar -C "$scratch" -xzf "$backup/database.tar.gz"
  fi
  if [[ -n $(files_folder) ]]; then
    mkdir -p "$scratch/files"
    if [[ -f $backup/files.tar ]]; then tar -C "$scratch/files" -xf "$backup/files.tar"; fi
    export FILES_URL=file://$scratch/files
  fi
  doctor "$backup"
}

restore() {
  local backup=$1 files
  assert_whole "$backup"
  files=$(files_folder)
  if [[ -z $files ]]; then
    [[ ! -f $backup/files.tar ]] ||
      fail 'The documents of this backup belong into a folder. Restore without FILES_URL, then copy them.'
  elif [[ -n $(ls -A "$files" 2>/dev/null) ]]; then
    fail "There are files in $files."
  fi
  if [[ -f $backup/database.dump ]]; then
    [[ -n ${DATABASE_URL:-} ]] || fail 'DATABASE_URL: this is the backup of a PostgreSQL server.'
    [[ $(query "select count(*) from pg_namespace where nspname = 'platform'") == 0 ]] ||
      fail 'The database that DATABASE_URL names is not empty.'
    fill "$backup"
  else
    [[ -z ${DATABASE_URL:-} ]] || fail 'DATABASE_URL: this is the backup of an embedded database.'
    [[ ! -e $data/database ]] || fail "There is a database in $data."
    # A start without it would make a new one, which opens nothing of what is in the backup.
    [[ -n ${MOORAGE_SECRET_KEY:-} || -f $data/secret.key ]] ||
      fail "Put the secret.key of this installation into $data first."
    mkdir -p "$data"
    tar -C "$data" -xzf "$backup/database.tar.gz"
  fi
  if [[ -f $backup/files.tar ]]; then
    mkdir -p "$files"
    tar -C "$files" -xf "$backup/files.tar"
  fi
  export MOORAGE_DATA_DIR=$(realpath -m "$data")
  doctor "$backup"
}

if [[ -n ${DATABASE_URL:-} ]]; then use_address; fi

case ${1:-} in
  make | check | restore)
    (($# == 2)) || fail "Usage: ops/backup.sh $1 FOLDER"
    [[ $1 == make ]] || [[ -d $2 ]] || fail "There is no folder $2."
    "$1" "$([[ $1 == make ]] && printf %s "$2" || realpath "$2")"
    ;;
  *)
    fail 'Usage: ops/backup.sh make FOLDER | check BACKUP | restore BACKUP'
    ;;
esac
