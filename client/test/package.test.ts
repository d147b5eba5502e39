import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const CLIENT = path.join(import.meta.dirname, '..')
const ROOT = path.join(CLIENT, '..')

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'moorage-client-'))
after(() => fs.rmSync(place, { recursive: true, force: true }))
const built = path.join(place, 'dist')
const compiler = path.join(ROOT, 'node_modules/typescript-native/bin/tsc')
const compiled = spawnSync(compiler, ['-p', CLIENT, '--outDir', built], { encoding: 'utf8' })
fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(place, 'node_modules'))
fs.writeFileSync(path.join(place, 'package.json'), '{"type": "module"}')

test('what is published compiles, has types, and is JavaScript that runs', async () => {
  assert.equal(compiled.status, 0, compiled.stdout)
  assert.ok(fs.existsSync(path.join(built, 'index.d.ts')))
  const { moorage } = await import(pathToFileURL(path.join(built, 'index.js')).href)
  assert.equal(typeof moorage({ url: 'https://shop.example.com' }).GET, 'function')
})

test('a strict project of somebody else type-checks against it, and hears of misspelt names', () => {
  const check = (name: string, source: string) => {
    const file = path.join(place, name)
    fs.writeFileSync(file, source)
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022']
    const libraries = ['--lib', 'es2023,dom', '--types', '']
    return spawnSync(compiler, [...flags, ...libraries, file], { encoding: 'utf8', cwd: place })
  }
  const head = `import { answerOf, moorage } from './dist/index.js'
    const shop = moorage({ url: 'https://shop.example.com' })
    export const first: Promise<string> = answerOf(shop.GET('/v1/services')).then((it) => it.data[0]!.`
  const right = check('right.ts', `${head}name)`)
  assert.equal(right.status, 0, right.stdout)
  assert.match(check('wrong.ts', `${head}nmae)`).stdout, /'nmae' does not exist/)
})

test('it needs one package, and what is not used is left out of a bundle', async () => {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(CLIENT, 'package.json'), 'utf8'))
  assert.deepEqual(Object.keys(dependencies), ['openapi-fetch'])
  for (const file of fs.readdirSync(path.join(CLIENT, 'src'))) {
    const text = fs.readFileSync(path.join(CLIENT, 'src', file), 'utf8')
    const from = [...text.matchAll(/ from '([^']+)'/g)].map(([, it = '']) => it)
    for (const it of from) assert.match(it, /^(openapi-fetch|\.\/\w+\.ts)$/, file)
  }
  const bundled = async (name: string) => {
    const contents = `export { ${name} } from './index.js'`
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: built },
      ...{
        bundle: true,
        minify: true,
        format: 'esm',
        write: false,
        nodePaths: [`${ROOT}/node_modules`],
      },
    })
    return outputFiles[0]?.text ?? ''
  }
  const [check, whole] = [await bundled('verifyWebhook'), await bundled('moorage')]
  assert.match(check, /webhook-signature/)
  assert.doesNotMatch(check, /idempotency-key|openapi/i)
  assert.match(whole, /idempotency-key/)
  assert.doesNotMatch(whole, /webhook-signature|text\/event-stream|last-event-id/i)
})
