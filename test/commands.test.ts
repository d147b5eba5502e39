import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { main } from '#app/cli.ts'
import { runToEnd } from '#test/processes.ts'

const ROOT = path.join(import.meta.dirname, '..')
const script = 'src/main.js'
/** Runs a command to its end, with nothing of this environment but what a process needs. */
async function run(args: readonly string[], more: Record<string, string>) {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...more }
  const child = spawn(process.execPath, [path.join(ROOT, script), ...args], {
    ...{ env, cwd: os.tmpdir() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const [code] = await once(child, 'close')
  return { code, said }
}

function emptyFolder(t: TestContext): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-commands-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  return folder
}

const commands = Object.keys(main.subCommands ?? {})

test('the help has a line for each command, with what it does', async () => {
  const help = stripVTControlCharacters(await runToEnd({ script, args: ['--help'], env: {} }))
  for (const name of commands) {
    assert.match(help, new RegExp(`^ +${name}(?: +|,).*[A-Z][a-z]+ .+$`, 'm'), name)
  }
})

test('--version prints the version of the package', async () => {
  const file = path.join(import.meta.dirname, '../package.json')
  const { version } = JSON.parse(fs.readFileSync(file, 'utf8'))
  assert.equal((await runToEnd({ script, args: ['--version'], env: {} })).trim(), version)
})

test('openapi prints the document without touching anything', async (t) => {
  const dataDir = path.join(os.tmpdir(), `moorage-openapi-${process.pid}`)
  t.after(() => fs.rmSync(dataDir, { recursive: true, force: true }))
  const printed = await runToEnd({ script, args: ['openapi'], env: { MOORAGE_DATA_DIR: dataDir } })
  const kept = fs.readFileSync(path.join(import.meta.dirname, '../docs/openapi.json'), 'utf8')
  assert.ok(printed === kept, 'it is docs/openapi.json')
  assert.equal(fs.existsSync(dataDir), false)
})

for (const [typed, said] of [
  ['import dump.sql --dryrun', /^moorage import: Unknown option '--dryrun'\./],
  ['doctor --foo', /^moorage doctor: Unknown option '--foo'\./],
  ['admin create other --email ada@example.org', /^moorage admin create: it takes no "other"\./],
  ['serve now', /^moorage serve: it takes no "now"\./],
  ['import undo', /^moorage import undo needs the id of an import\./],
] as const) {
  test(`what a command does not know is refused before it works: ${typed}`, async (t) => {
    const folder = emptyFolder(t)
    const { code, said: text } = await run(typed.split(' '), { MOORAGE_DATA_DIR: folder })
    assert.match(text, said)
    assert.equal(code, 2)
    assert.deepEqual(fs.readdirSync(folder), [])
  })
}

for (const typed of [
  ...['doctor', 'import dump.sql', 'admin create --email ada@example.org'],
  ...['admin reset-password --email ada@example.org', 'secret rotate'],
]) {
  test(`a folder without an installation is named, and stays empty: ${typed}`, async (t) => {
    const folder = emptyFolder(t)
    fs.writeFileSync(path.join(folder, 'dump.sql'), 'select 1;')
    const words = typed.replace('dump.sql', path.join(folder, 'dump.sql')).split(' ')
    const { code, said } = await run(words, { MOORAGE_DATA_DIR: path.join(folder, 'data') })
    assert.match(said, /^MOORAGE_DATA_DIR: there is no installation in /)
    assert.equal(code, 1)
    assert.equal(fs.existsSync(path.join(folder, 'data')), false)
  })
}

test('an administrator needs an address', async (t) => {
  const data = { MOORAGE_DATA_DIR: emptyFolder(t) }
  const { code, said } = await run(['admin', 'create', '--email', 'ada'], data)
  assert.match(said, /^--email: "ada" is not an email address\./)
  assert.equal(code, 1)
})
