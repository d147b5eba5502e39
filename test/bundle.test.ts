import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { bundleOf, digestOf, statesOf, writeOrigin } from '../src/bundle.js'

const ROOT = path.join(import.meta.dirname, '..')
const SOURCE = 'src/main.ts'

/** A project that says which of the two was run: its source, or the bundle that was made of it. */
function project(t: TestContext) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-bundle-')))
  t.after(() => fs.rmSync(root, { recursive: true }))
  for (const folder of ['src', 'dist/made', 'node_modules']) {
    fs.mkdirSync(path.join(root, folder), { recursive: true })
  }
  for (const name of ['main.js', 'bundle.js', 'traces.js']) {
    fs.copyFileSync(path.join(ROOT, 'src', name), path.join(root, 'src', name))
  }
  const write = (name: string, text: string) => fs.writeFileSync(path.join(root, name), text)
  write('package.json', '{ "type": "module" }')
  write(SOURCE, `console.log('source 1')`)
  write('dist/made/main.js', `console.log('bundle')`)
  const names = ['package.json', SOURCE]
  const files = statesOf(root, names)
  writeOrigin(root, { folder: 'made', digest: digestOf(root, names), files })
  return {
    root,
    write,
    said: (...flags: string[]) => run([...flags, path.join(root, 'src/main.js')]).stdout.trim(),
    originText: () => fs.readFileSync(path.join(root, 'dist/bundle.json'), 'utf8'),
    date: (ms: number) => fs.utimesSync(path.join(root, SOURCE), ms / 1000, ms / 1000),
    writtenMs: () => fs.statSync(path.join(root, SOURCE)).mtimeMs,
  }
}

function run(args: string[]) {
  const { PATH } = process.env
  return spawnSync(process.execPath, args, { encoding: 'utf8', env: { PATH } })
}

test('a start takes the bundle of the sources that are there, and the sources when one was edited', (t) => {
  const { said, write, writtenMs, date } = project(t)
  assert.equal(said(), 'bundle')
  const before = writtenMs()
  write(SOURCE, `console.log('source 2')`)
  date(before + 4)
  assert.equal(said(), 'source 2')
  write(SOURCE, `console.log('source 1')`)
  assert.equal(said(), 'bundle', 'edited back')
})

test('a start without a bundle, with half of one, or with one that is gone takes the sources', (t) => {
  const { said, root, originText, write } = project(t)
  const origin = originText()
  write('dist/bundle.json', origin.slice(0, -9))
  assert.equal(said(), 'source 1')
  write('dist/bundle.json', origin)
  fs.renameSync(path.join(root, 'dist/made'), path.join(root, 'dist/other'))
  assert.equal(said(), 'source 1')
  fs.rmSync(path.join(root, 'dist'), { recursive: true })
  assert.equal(said(), 'source 1')
})

test('sources that were copied are read once, and known by their times from then on', (t) => {
  const { root, date, writtenMs, originText } = project(t)
  date(writtenMs() + 5000)
  const before = originText()
  assert.equal(bundleOf(root), path.join(root, 'dist/made'))
  assert.notEqual(originText(), before)
  const known = originText()
  assert.equal(bundleOf(root), path.join(root, 'dist/made'))
  assert.equal(originText(), known)
  // As an archive keeps the time.
  const whole = Math.floor(writtenMs() / 1000) * 1000
  date(whole + 250)
  assert.ok(bundleOf(root))
  date(whole)
  const fine = originText()
  assert.ok(bundleOf(root))
  assert.equal(originText(), fine)
})

test('a source that is gone, or one that is new in the place of another, makes a bundle an old one', (t) => {
  const { root, write } = project(t)
  fs.rmSync(path.join(root, SOURCE))
  assert.equal(bundleOf(root), null)
  write(SOURCE, `console.log('other')`)
  assert.equal(bundleOf(root), null)
})

test('a runtime that is too old is told so in one line', (t) => {
  const { root } = project(t)
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`
  const { status, stdout, stderr } = run(['--import', old, path.join(root, 'src/main.js')])
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^Moorage needs Node 24 or newer; this is v[^\n]+\n$/)
})

test('only what is the same in a bundle asks where its own file is', () => {
  const asking = fs
    .globSync('src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /import\.meta/.test(fs.readFileSync(path.join(ROOT, file), 'utf8')))
  // It looks upwards from wherever it is; all others ask it.
  assert.deepEqual(asking, ['src/platform/root.ts'])
})

test('the bundle is made of every source that it needs, and its errors name them', () => {
  const made = run([path.join(ROOT, 'scripts/build.js')])
  assert.equal(made.status, 0, made.stderr)
  const bundle = bundleOf(ROOT)
  assert.ok(bundle)
  assert.deepEqual(
    fs.readdirSync(path.join(ROOT, 'dist')).filter((name) => name.startsWith('.')),
    [],
  )
  const env = { MOORAGE_SECRET_KEY: Buffer.alloc(32).toString('base64') }
  const { stderr } = spawnSync(process.execPath, [path.join(ROOT, 'src/main.js'), 'serve'], {
    encoding: 'utf8',
    env: {
      ...env,
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      FILES_URL: '',
      LOG_LEVEL: 'debug',
    },
  })
  assert.match(stderr, /nothing listens there/)
  const [, line = ''] = /at async serve \(.*\/src\/app\/cli\.ts:(\d+)\)/.exec(stderr) ?? []
  const lines = fs.readFileSync(path.join(ROOT, 'src/app/cli.ts'), 'utf8').split('\n')
  assert.match(lines[Number(line) - 1] ?? stderr, /await startService\(/)
  assert.doesNotMatch(stderr, new RegExp(`dist/${path.basename(bundle)}`))
})
