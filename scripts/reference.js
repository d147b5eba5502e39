// @ts-check
// JavaScript, so that `npm ci` works on an older runtime as it does without the API reference.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compressFiles } from './compressed.js'

/**
 * Writes the files of the API reference at `/v1/docs`: the program, which its package contains as one string, and
 * the guide, from the pages in `docs`. With `--optional` (in `npm ci`), a failure is only reported.
 */
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const made = path.join(root, 'docs/.reference')
const isOptional = process.argv.includes('--optional')

/** The pages of the guide, and which of their chapters it has; all where none are named. */
const GUIDE = [
  { page: 'api.md', chapters: null },
  { page: 'webhooks.md', chapters: ['The message', 'Receive it', 'Retries'] },
]

try {
  await build()
  console.log('The API reference is ready.')
} catch (error) {
  if (!isOptional) throw error
  const reason = error instanceof Error ? error.message : String(error)
  console.log(`The API reference was not built: ${reason}. "npm run docs" tries again.`)
}

/** Replaces the folder as a whole: a file and its compressed copies always belong together. */
async function build() {
  const draft = fs.mkdtempSync(`${made}-`)
  try {
    fs.writeFileSync(path.join(draft, 'reference.js'), await program())
    fs.writeFileSync(path.join(draft, 'guide.md'), guide())
    await compressFiles(draft)
    fs.chmodSync(draft, 0o755)
    fs.rmSync(made, { recursive: true, force: true })
    fs.renameSync(draft, made)
  } finally {
    fs.rmSync(draft, { recursive: true, force: true })
  }
}

/** The program, as the package serves it. */
async function program() {
  const { default: fastify } = await import('fastify')
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const app = fastify()
  await app.register(reference, { routePrefix: '/reference', configuration: { url: '/' } })
  const { statusCode, body } = await app.inject('/reference/js/scalar.js')
  await app.close()
  if (statusCode !== 200) throw new Error(`The program was answered with ${statusCode}`)
  return body.replace(/\n\/\/# sourceMappingURL=.*$/, '')
}

/** The text of the pages, with links that lead into the documentation. */
function guide() {
  return GUIDE.map(({ page, chapters }) => {
    const text = fs.readFileSync(path.join(root, 'docs', page), 'utf8')
    const [, ...parts] = text.split(/^(?=## )/m)
    const wanted = parts.filter(
      (it) => !chapters || chapters.some((name) => it.startsWith(`## ${name}`)),
    )
    return wanted.join('').replace(/\]\(([\w-]+)\.md(#[\w-]+)?\)/g, '](/docs/$1$2)')
  }).join('\n')
}
