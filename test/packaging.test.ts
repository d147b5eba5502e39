import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { parse } from 'yaml'
import { readConfig } from '#app/config.ts'

const root = path.join(import.meta.dirname, '..')
const textOf = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

type Service = {
  command?: string
  image: string
  env_file?: string
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { disable?: boolean }
  volumes?: string[]
  ports?: (string | number)[]
  networks?: string[]
  stop_grace_period?: string
  read_only?: boolean
  cap_drop?: string[]
  restart?: string
  build?: { context: string; target: string }
  logging?: { driver: string; options: Record<string, string> }
  profiles?: string[]
}
type Compose = {
  services: Record<string, Service>
  networks: Record<string, object>
  volumes: Record<string, null>
}
const compose: Compose = parse(textOf('compose.yaml'), { merge: true })
const { services } = compose
const AT_REST = { MOORAGE_SECRET_KEY: Buffer.alloc(32).toString('base64') }

/** Has the code of the service in it: the image itself, or the one for backups that is made of it. */
const isOurs = ({ image }: Service) => /^moorage(?:-backup)?$/.test(image)

/** The instructions of a stage of the Dockerfile. */
function stageOf(name: string): string {
  const stages = textOf('Dockerfile').split(/^(?=FROM )/m)
  return stages.find((it) => new RegExp(`^FROM \\S+ AS ${name}$`, 'm').test(it)) ?? ''
}

function variables(file: string): Record<string, string> {
  const lines = textOf(file).split('\n')
  const pairs = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(/=(.*)/))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
}

test('every service waits for what it needs, and that says when it is there', () => {
  for (const [name, { depends_on = {} }] of Object.entries(services)) {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      const needed = services[other]
      assert.ok(needed, `${name} waits for ${other}`)
      if (condition !== 'service_healthy') continue
      const own = needed.healthcheck && !needed.healthcheck.disable
      // The image of the service brings its own.
      assert.ok(own || needed.image === 'moorage', `${other} has a health check`)
    }
  }
  for (const name of ['api', 'worker']) {
    assert.equal(services[name]?.depends_on?.migrate?.condition, 'service_completed_successfully')
  }
  assert.match(textOf('Dockerfile'), /^HEALTHCHECK .*\\\n {2}CMD \["node"/m)
  assert.equal(services.worker?.environment?.MOORAGE_PROBE_PORT, '3000')
})

test('what holds our code may write nothing but its volume, and nobody reaches it but the proxy', () => {
  for (const [name, service] of Object.entries(services)) {
    if (!isOurs(service)) continue
    assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']], name)
    assert.equal(service.ports, undefined, name)
    assert.equal(service.env_file, 'ops/compose/moorage.env', name)
  }
  const open = Object.values(services).flatMap(({ ports = [] }) => ports.map(String))
  const public_ = open.filter((it) => !it.startsWith('127.0.0.1:'))
  assert.deepEqual(public_.map((it) => it.split(':')[0]).sort(), ['443', '443', '80'])
})

/** An example once its reader has replaced the placeholders. */
function filledIn(env: Record<string, string>): Record<string, string> {
  const pairs = Object.entries(env)
  return Object.fromEntries(pairs.map(([name, it]) => [name, it.replace('change-me', 'secret')]))
}

test('the example of an environment starts the service, and fits the other one', () => {
  const env = variables('ops/compose/moorage.env.example')
  const filled = { ...filledIn(env), ...AT_REST }
  assert.throws(() => readConfig(env), /MOORAGE_SECRET_KEY/)
  assert.throws(() => readConfig({ ...env, ...AT_REST }), /DATABASE_URL: still has change-me/)
  for (const service of ['api', 'worker'] as const) {
    const config = readConfig({ ...filled, ...services[service]?.environment })
    const database = new URL(config.databaseUrl ?? '')
    const postgres = variables('ops/compose/postgres.env.example')
    assert.equal(database.hostname in services, true)
    assert.equal(database.username, postgres.POSTGRES_USER)
    // With a placeholder the database would be created, and keep it.
    assert.equal(postgres.POSTGRES_PASSWORD, '')
    assert.equal(database.pathname, `/${postgres.POSTGRES_DB}`)
    assert.ok(new URL(config.redisUrl ?? '').hostname in services)
    assert.ok(new URL(config.smtpUrl ?? '').hostname in services)
  }
  const subnet = /subnet: (\S+)/.exec(textOf('compose.yaml'))?.[1]
  assert.equal(env.TRUST_PROXY, subnet)
})

/** The names of settings in a text, those that are only shown in a comment too. */
function namesIn(file: string): string[] {
  return [...textOf(file).matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
}

/** The names of settings that the configuration asks its environment for. */
function namesRead(env: Record<string, string>): ReadonlySet<string> {
  const read = new Set<string>()
  const watched = new Proxy(env, {
    get(target, name) {
      read.add(String(name))
      return target[String(name)]
    },
  })
  readConfig(watched)
  return read
}

test('every setting that is written for our processes is one that they read', () => {
  const env = { ...filledIn(variables('ops/compose/moorage.env.example')), ...AT_REST }
  const read = namesRead(env)
  const own = Object.values(services).filter(({ image }) => image === 'moorage')
  const written = [
    ...namesIn('ops/compose/moorage.env.example'),
    ...own.flatMap(({ environment = {} }) => Object.keys(environment)),
    ...[...textOf('Dockerfile').matchAll(/\b((?:HOST|MOORAGE_\w+))=/g)].map(
      ([, name = '']) => name,
    ),
  ]
  assert.ok(written.length > 8, `${written}`)
  assert.deepEqual(
    written.filter((name) => !read.has(name)),
    [],
  )
})

test('networks, volumes, ports and paths are those that the other side has', () => {
  const dockerfile = textOf('Dockerfile')
  const [, port] = /^EXPOSE (\d+)$/m.exec(dockerfile) ?? []
  const [, volume] = /^VOLUME (\S+)$/m.exec(dockerfile) ?? []
  const [, dataDir] = /MOORAGE_DATA_DIR=(\S+)/.exec(dockerfile) ?? []
  assert.deepEqual([String(readConfig(AT_REST).port), volume], [port, dataDir])
  assert.match(textOf('ops/compose/Caddyfile'), new RegExp(`name api\\n\\s+port ${port}\\n`))
  for (const [name, { networks = [], volumes = [] }] of Object.entries(services)) {
    assert.deepEqual(
      networks.filter((it) => !(it in compose.networks)),
      [],
      name,
    )
    for (const [from = '', to] of volumes.map((it) => it.split(':'))) {
      if (from.startsWith('.')) assert.ok(fs.existsSync(path.join(root, from)), from)
      else assert.ok(from in compose.volumes, `${name}: ${from}`)
      if (from === 'files') assert.equal(to, dataDir)
    }
  }
  const [, checked = ''] = /fetch\(`[^`]*\}(\/v1[^`]*)`\)/.exec(dockerfile) ?? []
  const { paths } = JSON.parse(textOf('docs/openapi.json'))
  assert.ok(checked in paths, `${checked} is a route`)
})

test('the image works as somebody without rights, who is set before anything of ours runs', () => {
  const stage = stageOf('moorage').split('\n')
  const users = stage.filter((it) => it.startsWith('USER '))
  assert.deepEqual(users, ['USER node'])
  const ran = stage.findIndex((it) => /^(?:RUN|CMD|ENTRYPOINT) .*src\/main\.js/.test(it))
  assert.ok(stage.indexOf('USER node') < ran)
})

test('a process gets the time it takes to end', () => {
  const seconds = (text = '') => Number(/^(\d+)s$/.exec(text)?.[1])
  const [, longest] = /^const STOP_MS = (\d+)_000$/m.exec(textOf('src/app/cli.ts')) ?? []
  for (const name of ['api', 'worker']) {
    const { stop_grace_period, environment } = services[name] ?? {}
    const drain = Number(environment?.MOORAGE_DRAIN_SECONDS ?? 0)
    assert.ok(seconds(stop_grace_period) > Number(longest) + drain, name)
  }
  const [, unit] = /^TimeoutStopSec=(\d+)$/m.exec(textOf('ops/systemd/moorage@.service')) ?? []
  assert.ok(Number(unit) > Number(longest))
})

/** What the Compose specification knows of the parts that our files use. */
const KEYS = {
  file: ['name', 'services', 'networks', 'volumes'],
  service: [
    ...['image', 'build', 'command', 'environment', 'env_file', 'depends_on', 'healthcheck'],
    ...['volumes', 'ports', 'networks', 'logging', 'profiles', 'deploy', 'init', 'read_only'],
    ...['tmpfs', 'cap_drop', 'security_opt', 'stop_grace_period', 'restart', 'shm_size'],
  ],
  build: ['context', 'target'],
  healthcheck: ['test', 'interval', 'timeout', 'retries', 'disable', 'start_period'],
  logging: ['driver', 'options'],
  deploy: ['replicas'],
} as const

const unknownIn = (part: object, known: readonly string[]) =>
  Object.keys(part).filter((key) => !known.includes(key) && !key.startsWith('x-'))

for (const file of ['compose.yaml', 'compose.nginx.yaml']) {
  test(`${file} has only keys of the Compose specification`, () => {
    const parsed: Compose = parse(textOf(file), { merge: true })
    assert.deepEqual(unknownIn(parsed, KEYS.file), [])
    for (const [name, service] of Object.entries(parsed.services)) {
      assert.deepEqual(unknownIn(service, KEYS.service), [], name)
      for (const part of ['build', 'healthcheck', 'logging', 'deploy'] as const) {
        const value = (service as Record<string, unknown>)[part]
        if (typeof value === 'object' && value) {
          assert.deepEqual(unknownIn(value, KEYS[part]), [], `${name}.${part}`)
        }
      }
      assert.ok(name in services, `${name} is a service of compose.yaml`)
    }
  })
}

test('two stages of one Dockerfile are built, each by one service, and the logs of all have a limit', () => {
  const built = Object.entries(services).flatMap(([name, { build }]) =>
    build ? [[name, build]] : [],
  )
  assert.deepEqual(Object.fromEntries(built), {
    migrate: { context: '.', target: 'moorage' },
    backup: { context: '.', target: 'backup' },
  })
  // A stage is built first; an image that is not there yet would be looked for in a registry.
  assert.match(stageOf('backup'), /^FROM moorage AS backup$/m)
  assert.match(textOf('Dockerfile'), /\nFROM moorage\n$/)
  for (const [name, { logging }] of Object.entries(services)) {
    assert.match(logging?.options['max-size'] ?? '', /^\d+m$/, name)
    assert.match(logging?.options['max-file'] ?? '', /^\d+$/, name)
  }
})

test('the backup service needs the database alone, and has the settings of the service', () => {
  const { depends_on, environment = {}, env_file } = services.backup ?? {}
  // After `migrate` the database has tables, and a restore is refused.
  assert.deepEqual(depends_on, { postgres: { condition: 'service_healthy' } })
  const own = Object.keys(environment)
  assert.deepEqual(own, ['BACKUP_FOLDER', 'BACKUP_HOUR', 'BACKUPS_KEPT'])
  assert.equal(env_file, services.api?.env_file)
})

test('the backup image copies files that exist, and has tools of the server’s version', () => {
  const { environment = {}, volumes = [] } = services.backup ?? {}
  const text = stageOf('backup')
  const [, server] = /^postgres:(\d+)$/.exec(services.postgres?.image ?? '') ?? []
  assert.match(text, new RegExp(`postgresql-client-${server}\\b`))
  const kept = textOf('.dockerignore').split('\n')
  for (const [, names = ''] of text.matchAll(/^COPY (.+) \S+$/gm)) {
    for (const name of names.split(' ')) {
      assert.ok(fs.existsSync(path.join(root, name)), name)
      assert.ok(kept.includes(`!${name}`), `${name} is in the context of the build`)
    }
  }
  const script = textOf('ops/nightly-backup.sh')
  for (const name of Object.keys(environment)) {
    assert.ok(script.includes(`\${${name}`), `${name} is read`)
  }
  assert.ok(volumes.includes(`backups:${environment.BACKUP_FOLDER}`))
  assert.match(text, new RegExp(`^VOLUME ${environment.BACKUP_FOLDER}$`, 'm'))
  const [, entry = ''] = /^ENTRYPOINT \["(\S+)"\]$/m.exec(text) ?? []
  assert.ok(fs.statSync(path.join(root, entry)).mode & 0o100, `${entry} can be executed`)
})

test('the nginx configuration has the ports that Compose publishes', () => {
  const { api, proxy }: Record<string, Service & { deploy?: { replicas: number } }> = parse(
    textOf('compose.nginx.yaml'),
  ).services
  assert.deepEqual(proxy?.profiles, ['caddy'])
  const [, from, to, inside] =
    /^127\.0\.0\.1:(\d+)-(\d+):(\d+)$/.exec(String(api?.ports?.[0])) ?? []
  assert.equal(Number(to) - Number(from) + 1, api?.deploy?.replicas)
  assert.match(textOf('Dockerfile'), new RegExp(`^EXPOSE ${inside}$`, 'm'))
  const named = [...textOf('ops/compose/nginx.conf').matchAll(/server 127\.0\.0\.1:(\d+);/g)]
  assert.deepEqual(
    named.map(([, port]) => port),
    [from, to],
  )
})

const nginx = spawnSync('nginx', ['-v']).status === 0
const caddy = spawnSync('caddy', ['version']).status === 0

/** Runs the check that a proxy has for its configuration, in a folder with a certificate. */
function checked(t: TestContext, [program = '', ...args]: string[], config: string) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-proxy-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const names = ['-subj', '/CN=shop.example.org', '-keyout', 'key.pem', '-out', 'fullchain.pem']
  const made = spawnSync('openssl', ['req', '-x509', ...key, ...names], { cwd: folder })
  assert.equal(made.status, 0, String(made.stderr))
  fs.writeFileSync(
    path.join(folder, 'config'),
    config
      .replace(/\/etc\/letsencrypt\S+\/fullchain\.pem/g, `${folder}/fullchain.pem`)
      .replace(/\/etc\/letsencrypt\S+\/privkey\.pem/g, `${folder}/key.pem`),
  )
  const env = { ...process.env, HOME: folder, MOORAGE_DOMAIN: 'shop.example.org, b.example.org' }
  const { status, stderr } = spawnSync(
    program,
    args.map((it) => (it === 'config' ? `${folder}/config` : it)),
    { cwd: folder, encoding: 'utf8', env },
  )
  assert.equal(status, 0, stderr)
}

const [, inGuide = ''] = /```nginx\n(.*?)```/s.exec(textOf('docs/reverse-proxy.md')) ?? []
for (const [name, servers] of [
  ['ops/compose/nginx.conf', textOf('ops/compose/nginx.conf')],
  ['the configuration in docs/reverse-proxy.md', inGuide],
] as const) {
  test(`nginx accepts ${name}`, { skip: !nginx }, (t) => {
    assert.match(servers, /listen 443 ssl/)
    checked(t, ['nginx', '-t', '-c', 'config'], `pid nginx.pid;\nevents {}\nhttp {\n${servers}}\n`)
  })
}

test('Caddy accepts ops/compose/Caddyfile', { skip: !caddy }, (t) => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', 'config']
  checked(t, ['caddy', ...args], textOf('ops/compose/Caddyfile'))
})

for (const script of ['ops/backup.sh', 'ops/nightly-backup.sh']) {
  test(`bash reads ${script}`, () => {
    const { status, stderr } = spawnSync('bash', ['-n', script], { cwd: root, encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
    if (spawnSync('shellcheck', ['--version']).status !== 0) return
    const linted = spawnSync('shellcheck', ['--severity=warning', script], { cwd: root })
    assert.equal(linted.status, 0, String(linted.stdout))
  })
}

test('the files with secrets are never committed', () => {
  assert.match(textOf('.gitignore'), /^\/ops\/compose\/\*\.env$/m)
})

test('the image copies every file of the service that the application is built from', () => {
  const [, stage = ''] = textOf('Dockerfile').split(/^FROM .* AS sites$/m)
  const copied = [...stage.matchAll(/^COPY (src\/\S+) /gm)].map(([, name = '']) => name)
  const builtFrom = ['web/build.js', 'web/vite.config.ts']
    .flatMap((name) => [...textOf(name).matchAll(/\b(src\/(?:lib|platform)\/[\w./-]+)'/g)])
    .map(([, name = '']) => name)
  assert.ok(builtFrom.includes('src/lib/languages.ts'))
  const missing = builtFrom.filter(
    (name) => !copied.some((folder) => name === folder || name.startsWith(`${folder}/`)),
  )
  assert.deepEqual(missing, [])
})

test('the image copies what the service is made of, and nothing that was made beside it', () => {
  const copied = [...textOf('Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm)]
    .flatMap(([, names = '']) => names.split(' '))
    .filter((name, index, all) => all.indexOf(name) === index)
  const kept = textOf('.dockerignore')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  // A stage may copy a part of what is kept, where the rest would make it anew too often.
  const inKept = (name: string) => kept.some((it) => name === it || name.startsWith(`${it}/`))
  assert.deepEqual(
    copied.filter((it) => !inKept(it)),
    [],
  )
  assert.deepEqual(
    kept.filter((it) => !copied.includes(it)),
    [],
  )
  for (const name of copied) assert.ok(fs.existsSync(path.join(root, name)), name)
})

const analyze = spawnSync('systemd-analyze', ['--version']).status === 0

test('systemd takes the unit as it is', { skip: !analyze }, (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-unit-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  // The machine that tests need not have what the unit starts.
  const unit = textOf('ops/systemd/moorage@.service').replace('/usr/bin/node', process.execPath)
  fs.writeFileSync(path.join(folder, 'moorage@.service'), unit)
  for (const role of ['all', 'api', 'worker']) {
    const { stderr, status } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', `${folder}/moorage@${role}.service`],
      { encoding: 'utf8' },
    )
    const about = stderr.split('\n').filter((line) => line.includes('moorage'))
    assert.deepEqual([status, about], [0, []], stderr)
  }
})
