import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
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
}
type Compose = {
  services: Record<string, Service>
  networks: Record<string, object>
  volumes: Record<string, null>
}
const compose: Compose = parse(textOf('compose.yaml'), { merge: true })
const { services } = compose
const AT_REST = { MOORAGE_SECRET_KEY: Buffer.alloc(32).toString('base64') }

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
    if (service.image !== 'moorage') continue
    assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']], name)
    assert.equal(service.ports, undefined, name)
    assert.equal(service.env_file, 'ops/compose/moorage.env', name)
  }
  const open = Object.values(services).flatMap(({ ports = [] }) => ports.map(String))
  const public_ = open.filter((it) => !it.startsWith('127.0.0.1:'))
  assert.deepEqual(public_.map((it) => it.split(':')[0]).sort(), ['443', '443', '80'])
})

test('the example of an environment starts the service, and fits the other one', () => {
  const env = variables('ops/compose/moorage.env.example')
  const filled = { ...env, ...AT_REST }
  assert.throws(() => readConfig(env), /MOORAGE_SECRET_KEY/)
  for (const service of ['api', 'worker'] as const) {
    const config = readConfig({ ...filled, ...services[service]?.environment })
    const database = new URL(config.databaseUrl ?? '')
    const postgres = variables('ops/compose/postgres.env.example')
    assert.equal(database.hostname in services, true)
    assert.equal(database.username, postgres.POSTGRES_USER)
    assert.equal(database.password, postgres.POSTGRES_PASSWORD)
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
  const env = { ...variables('ops/compose/moorage.env.example'), ...AT_REST }
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
  const lines = textOf('Dockerfile').split('\n')
  const stage = lines.slice(lines.findLastIndex((it) => it.startsWith('FROM ')))
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

test('the files with secrets are never committed', () => {
  assert.match(textOf('.gitignore'), /^\/ops\/compose\/\*\.env$/m)
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
