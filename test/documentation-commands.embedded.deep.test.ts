import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { gzipSync } from 'node:zlib'
import { SANDBOX_SELLER } from '#sandbox/seller.ts'
import { clientFor } from '#test/client.ts'
import { commandBlocks, PAGES } from '#test/command-blocks.ts'
import { pngOf } from '#test/images.ts'
import { startProcess } from '#test/processes.ts'
import { smallDump } from '#test/small-whmcs.ts'

/** Runs the commands of the documentation as a reader would: block by block, in one shell. */
const ROOT = path.join(import.meta.dirname, '..')
const BLOCK_MS = 240_000

/** What a block may need that only a reader has. */
const OUTSIDE: Readonly<Record<string, string>> = {
  containers: 'a container engine',
  database: 'a PostgreSQL server, and two processes that do not end',
  days: 'the seventh and the thirtieth day after renewals began',
  demo: 'the demo, whose clock can be moved (sandbox/demo/demo.long.test.ts)',
  domain: 'a public domain',
  'old-system': 'the database of the old system',
  panel: 'a machine of a real panel',
  provider: 'an account at a payment provider',
  registry: 'the registry of npm, for a new clone',
}

/** What the reader of a page has by then, beside the shop: commands that go before its block at a place. */
const BEFORE: Readonly<Record<string, string>> = {
  'importing.md undo': 'ID=$(newest_import)',
  // What was undone is imported again, as the page says one can.
  'importing.md preview': 'npx moorage import whmcs.sql.gz > imported.txt; ID=$(newest_import)',
  'importing.md decisions': 'ID=$(newest_import)',
  'tenants.md logo':
    'ID=$(curl -sS "$SHOP/v1/admin/tenants" -H "authorization: Bearer $KEY" | first_id)',
}
const FUNCTIONS = `
first_id() { node -p 'JSON.parse(require("node:fs").readFileSync(0)).data[0].id'; }
newest_import() { curl -sS "$SHOP/v1/admin/imports" -H "authorization: Bearer $KEY" | first_id; }
`

/** A folder that looks like a checkout to commands, and has the files that pages speak of. */
function checkout(t: TestContext): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-reader-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  for (const name of fs.readdirSync(ROOT)) {
    if (name !== '.git') fs.symlinkSync(path.join(ROOT, name), path.join(folder, name))
  }
  const dump = smallDump({
    tblclients: [{}],
    tblusers: [{}],
    tblusers_clients: [{}],
    tblhosting: [{}],
  })
  fs.writeFileSync(path.join(folder, 'whmcs.sql.gz'), gzipSync(dump))
  fs.writeFileSync(path.join(folder, 'logo.png'), pngOf({}))
  fs.writeFileSync(path.join(folder, 'rust.png'), pngOf({}))
  return folder
}

/** A shell that commands are pasted into, of somebody new. It leaves nothing running behind. */
function shell(t: TestContext, env: Record<string, string> = {}, cwd = ROOT) {
  const { PATH = '', HOME = '' } = process.env
  // An `npx` that was interrupted leaves a folder in npm's cache in which each later one fails.
  const cache = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-npm-'))
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    detached: true,
    env: {
      ...{ PATH: `${path.join(ROOT, 'node_modules/.bin')}:${PATH}`, HOME },
      ...{ npm_config_cache: cache, ...env },
    },
  })
  t.after(() => fs.rmSync(cache, { recursive: true, force: true }))
  t.after(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH')
    }
  })
  return (commands: string) => paste(child, commands)
}

/** Pastes commands, and answers what they printed once the last has ended. Fails when one of them fails. */
function paste(child: ChildProcessWithoutNullStreams, commands: string): Promise<string> {
  const mark = `end-of-block-${process.hrtime.bigint()}`
  return new Promise((resolve, reject) => {
    let printed = ''
    const take = (data: Buffer) => {
      printed += data
      const [before = '', status] = printed.split(new RegExp(`${mark} (\\d+)\\n`))
      if (status === undefined) return
      finish()
      if (status === '0') resolve(before)
      else reject(new Error(`${commands}\n\nended with ${status}:\n${before}`))
    }
    const ended = () => {
      finish()
      reject(new Error(`${commands}\n\nended the shell:\n${printed}`))
    }
    const late = setTimeout(ended, BLOCK_MS)
    const finish = () => {
      clearTimeout(late)
      child.stdout.off('data', take)
      child.stderr.off('data', take)
      child.off('exit', ended)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('exit', ended)
    // Of the commands of a block each has to succeed, as a reader would notice.
    child.stdin.write(
      `failed=0; trap 'failed=$?' ERR; set -o pipefail\n${commands}\ntrap - ERR; printf '\\n%s %s\\n' ${mark} "$failed"\n`,
    )
  })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return address && typeof address === 'object' ? address.port : 0
}

test('“Your first real shop” ends with a paid order and a server, block by block', async (t) => {
  const ports = new Map<string, string>()
  for (const usual of ['3000', '4242', '8090']) ports.set(usual, String(await freePort()))
  const run = shell(t)
  const printed: string[] = []
  for (const { text, outside, line } of commandBlocks('first-shop.md')) {
    if (outside) continue
    const own = text.replace(/\b(?:3000|4242|8090)\b/g, (port) => ports.get(port) ?? port)
    printed.push(await run(own).catch((error) => assert.fail(`first-shop.md:${line}: ${error}`)))
  }
  const all = stripVTControlCharacters(printed.join('\n'))
  assert.match(all, /^paid$/m)
  assert.match(all, /^[\w.-]+:\d+$/m)
})

const pages = PAGES.filter((page) => page !== 'first-shop.md').filter((page) =>
  commandBlocks(page).some(({ outside }) => !outside),
)

/** Whether a block is the one of a page that names a word. */
function isAt(place: string, page: string, text: string): boolean {
  const [name = '', word = ''] = place.split(' ')
  return name === page && text.includes(word)
}

test('the other blocks work in a shop that runs, page by page', async (t) => {
  const reader = checkout(t)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-documentation-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const login = { email: 'admin@example.com', password: 'correct horse battery' }
  const service = await startProcess({
    script: 'src/main.js',
    args: ['serve'],
    env: {
      ...{ PORT: '0', MOORAGE_DATA_DIR: folder, LOG_LEVEL: 'error' },
      ...{ MOORAGE_ADMIN_EMAIL: login.email, MOORAGE_ADMIN_PASSWORD: login.password },
    },
    ready: /listens on/,
  })
  t.after(() => service.end())
  const url = /http:\S+/.exec(service.ready)?.[0] ?? ''
  const { accessToken } = (await clientFor(url).post('/v1/auth/login', login)).body
  const admin = clientFor(url, { authorization: `Bearer ${accessToken}` })
  const { key } = (await admin.post('/v1/api-keys', { permission: 'read-write' })).body
  assert.equal((await admin.patch('/v1/admin/shop', { seller: SANDBOX_SELLER })).status, 200)
  for (const page of pages) {
    const run = shell(t, { SHOP: url, KEY: key, MOORAGE_DATA_DIR: folder, TMPDIR: folder }, reader)
    await run(FUNCTIONS)
    for (const { text, line, outside } of commandBlocks(page)) {
      if (outside) continue
      const before = Object.entries(BEFORE).find(([place]) => isAt(place, page, text))
      if (before) await run(before[1])
      const printed = await run(text).catch((error) => assert.fail(`${page}:${line}: ${error}`))
      // A page that shows a mistake says so by its address.
      const refusals = printed.match(/"statusCode":4\d\d.*/g) ?? []
      const wanted = text.includes('/no-such-') ? 1 : 0
      assert.equal(refusals.length, wanted, `${page}:${line}: ${refusals}`)
    }
  }
})

test('blocks that are left out need what only a reader has, and say what', (t) => {
  const all = PAGES.flatMap(commandBlocks)
  const outside = all.filter((it) => it.outside !== null)
  for (const [why, blocks] of Map.groupBy(outside, (it) => it.outside ?? '')) {
    assert.ok(why in OUTSIDE, `${blocks[0]?.page}: outside:${why}`)
    t.diagnostic(`${blocks.length} of ${all.length} command blocks need ${OUTSIDE[why]}`)
  }
  assert.ok(outside.length * 2 < all.length)
})
