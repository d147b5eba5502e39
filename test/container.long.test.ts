import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { until } from '#test/app.ts'
import { freePort } from '#test/processes.ts'

/**
 * What the Dockerfile says, done in an empty folder in place of an empty file system. Its paths are
 * below that folder, and its user is one without rights (where this one may become another).
 */
const root = path.join(import.meta.dirname, '..')
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-image-'))
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
let running: ChildProcess | null = null
after(() => {
  running?.kill('SIGKILL')
  fs.rmSync(place, { recursive: true, force: true })
})
fs.chmodSync(place, 0o755)

type Stage = { folder: string; workdir: string; user: string; env: Record<string, string> }
type Instruction = { name: string; rest: string }

/** Up to the image of the service; what follows is based on it. */
function instructions(): Instruction[] {
  const [text = ''] = fs.readFileSync(path.join(root, 'Dockerfile'), 'utf8').split(/^FROM moorage/m)
  return text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
      return name ? [{ name, rest }] : []
    })
}

/** Absolute paths of the image, below the folder that stands for it. */
function below({ folder }: Stage, text: string): string {
  return text.replace(/(?<![\w./:`])\/(srv|var)\//g, `${folder}/$1/`)
}

/** How this machine reaches the registry of packages is no part of an image. */
const REACHING =
  /^(?:HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|\w+_proxy|npm_config_(?:registry|cafile|userconfig))$/i

/** The runtime of this test stands for the one of the image. */
function environment(stage: Stage): NodeJS.ProcessEnv {
  const bin = path.join(place, 'bin')
  const own = Object.entries(process.env).filter(([name]) => REACHING.test(name))
  const home = stage.user === 'root' ? Object.fromEntries(own) : { HOME: place }
  return { ...home, PATH: `${bin}:${process.env.PATH}`, ...stage.env }
}

function who({ user }: Stage): { uid?: number; gid?: number } {
  return isRoot && user !== 'root' ? { uid: NOBODY, gid: NOBODY } : {}
}

function perform(stages: Map<string, Stage>, stage: Stage, { name, rest }: Instruction): void {
  if (name === 'ENV') {
    for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) {
      stage.env[key] = below(stage, value)
    }
  } else if (name === 'WORKDIR') {
    stage.workdir = below(stage, rest)
    fs.mkdirSync(stage.workdir, { recursive: true })
  } else if (name === 'USER') {
    stage.user = rest
  } else if (name === 'COPY') {
    const words = rest.split(' ')
    const from = words[0]?.startsWith('--from=') ? stages.get(words.shift()?.slice(7) ?? '') : null
    const target = path.resolve(stage.workdir, words.pop() ?? '')
    for (const source of words) {
      const file = from ? below(from, source) : path.join(root, source)
      const isInto = words.length > 1 || target === stage.workdir
      const to = isInto ? path.join(target, path.basename(file)) : target
      // As .dockerignore says.
      const filter = (it: string) => from !== null || !it.endsWith('.test.ts')
      const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true }
      fs.cpSync(file, to, { ...options, filter })
    }
  } else if (name === 'RUN') {
    const owner = isRoot ? `-o ${NOBODY} -g ${NOBODY}` : ''
    const command = below(stage, rest).replaceAll('-o node -g node', owner)
    const options = { cwd: stage.workdir, env: environment(stage), ...who(stage) }
    const { status, stderr } = spawnSync('sh', ['-c', command], { ...options, encoding: 'utf8' })
    assert.equal(status, 0, `${rest}: ${stderr}`)
  }
}

test('the steps of the Dockerfile make an installation that serves, as a user without rights', async () => {
  const node = fs.realpathSync(process.execPath)
  fs.mkdirSync(path.join(place, 'bin'))
  fs.copyFileSync(node, path.join(place, 'bin/node'))
  fs.chmodSync(path.join(place, 'bin/node'), 0o755)
  const stages = new Map<string, Stage>()
  const all = instructions()
  let stage: Stage | null = null
  for (const it of all) {
    if (it.name === 'FROM') {
      const [, alias = ''] = / AS (\w+)/.exec(it.rest) ?? []
      const folder = path.join(place, alias)
      stage = { folder, workdir: folder, user: 'root', env: {} }
      fs.mkdirSync(folder)
      stages.set(alias, stage)
    } else if (stage) perform(stages, stage, it)
  }
  const image = stages.get('moorage')
  assert.ok(image)
  const said = (name: string) => all.filter((it) => it.name === name).at(-1)?.rest ?? ''
  const listOf = (text: string): string[] => JSON.parse(/\[.*\]$/.exec(text)?.[0] ?? '[]')
  assert.equal(image.user, 'node')
  assert.equal(fs.existsSync(path.join(image.workdir, 'node_modules/typescript')), false)
  assert.equal(fs.existsSync(path.join(image.workdir, 'node_modules/esbuild')), false)
  const cache = fs.globSync('dist/*/cache/*', { cwd: image.workdir })
  assert.equal(cache.length, 1, 'the bundle is compiled, once')

  const env = { ...environment(image), PORT: String(await freePort()), HOST: '127.0.0.1' }
  const options = { cwd: image.workdir, env, ...who(image) }
  const [program = '', ...args] = [...listOf(said('ENTRYPOINT')), ...listOf(said('CMD'))]
  const service = spawn(program, args, { ...options, stdio: 'ignore' })
  running = service
  const [check = '', ...checkArgs] = listOf(said('HEALTHCHECK'))
  await until('it is healthy', () => spawnSync(check, checkArgs, options).status === 0, {
    waitMs: 120_000,
    everyMs: 500,
  })
  const volume = below(image, said('VOLUME'))
  const kept = fs.readdirSync(volume).filter((it) => !/^(control\.sock|database\.\w)/.test(it))
  assert.deepEqual(kept.sort(), ['database', 'files', 'secret.key'])
  service.kill('SIGTERM')
  const [code] = await once(service, 'exit')
  assert.equal(code, 0)
  assert.notEqual(spawnSync(check, checkArgs, options).status, 0)
})
