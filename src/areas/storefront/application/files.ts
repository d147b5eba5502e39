import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#platform/root.ts'

/** What `npm run build` makes of `web/`. */
const FOLDER = path.join(ROOT, 'web/dist')
const ENTRY = 'src/main.tsx'
/** Where the files are reached; their names change with their content. */
export const FILES_PATH = '/app/'
export const FILES_FOLDER = path.join(FOLDER, 'assets')

/** The files that a browser needs for the first screen of the application. */
export type ApplicationFiles = {
  readonly script: string
  readonly styles: readonly string[]
  /** Scripts that the first one imports: fetched beside it instead of after it. */
  readonly imports: readonly string[]
}

type Chunk = {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

/** The files of the application as they were built; null where it has not been built. */
export function readApplicationFiles(): ApplicationFiles | null {
  const file = path.join(FOLDER, 'manifest.json')
  if (!fs.existsSync(file)) return null
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(fs.readFileSync(file, 'utf8'))
  const entry = manifest[ENTRY]
  if (!entry) return null
  const chunks = new Set<Chunk>()
  const visit = (names: readonly string[] = []) => {
    for (const name of names) {
      const chunk = manifest[name]
      if (!chunk || chunks.has(chunk)) continue
      chunks.add(chunk)
      visit(chunk.imports)
    }
  }
  visit(entry.imports)
  const urlOf = (name: string) => FILES_PATH + name
  return {
    script: urlOf(entry.file),
    styles: [entry, ...chunks].flatMap(({ css = [] }) => css).map(urlOf),
    imports: [...chunks].map((chunk) => urlOf(chunk.file)),
  }
}
