import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { main } from '#app/cli.ts'
import { runToEnd } from '#test/processes.ts'

const script = 'src/main.js'
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
