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
  read_only?: boolean
  cap_drop?: string[]
  restart?: string
}
type Compose = { services: Record<string, Service>; volumes: Record<string, null> }
const compose: Compose = parse(textOf('compose.yaml'), { merge: true })
const { services } = compose

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
  const filled = { ...env, MOORAGE_SECRET_KEY: Buffer.alloc(32).toString('base64') }
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
  assert.deepEqual(copied.sort(), kept.sort())
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
