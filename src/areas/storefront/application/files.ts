import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '#platform/root.ts'

/** Where `npm run build` puts the built files of `web/`. */
const FOLDER = path.join(ROOT, 'web/dist')
const ENTRY = 'src/main.ts'
const INLINE_STYLE = 'src/ui/styles/inline.css'
/** The path that the files are served at; their names change with their content. */
export const FILES_PATH = '/app/'
export const FILES_FOLDER = path.join(FOLDER, 'assets')

/** The files that a browser needs for the first screen of the application. */
export type ApplicationFiles = {
  readonly script: string
  readonly styles: readonly string[]
  /** The styles of the outline, which are inlined in the page. */
  readonly inlineStyle: string
  /**
   * The scripts of a screen, without the entry script: the page loads them in parallel with it. They are named by
   * their modules, or by the part of `web/vite.config.ts` that contains them. Unknown names add nothing.
   */
  scriptsOf(modules: readonly string[]): readonly string[]
}

type Chunk = {
  readonly file: string
  readonly name?: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

/** The built files of the application; null if it has not been built. */
export function readApplicationFiles(): ApplicationFiles | null {
  const file = path.join(FOLDER, 'manifest.json')
  if (!fs.existsSync(file)) return null
  const manifest: Readonly<Record<string, Chunk>> = JSON.parse(fs.readFileSync(file, 'utf8'))
  const entry = manifest[ENTRY]
  const style = manifest[INLINE_STYLE]
  if (!entry || !style) return null
  // A part has no module of its own; in the manifest it is named by its file.
  const parts = new Map(
    Object.entries(manifest).flatMap(([key, chunk]) =>
      key.startsWith('_') && chunk.name ? [[chunk.name, chunk] as const] : [],
    ),
  )
  const chunksOf = (names: readonly string[], found = new Set<Chunk>()): ReadonlySet<Chunk> => {
    for (const name of names) {
      const chunk = manifest[name] ?? parts.get(name)
      if (!chunk || found.has(chunk)) continue
      found.add(chunk)
      chunksOf(chunk.imports ?? [], found)
    }
    return found
  }
  const urlOf = (name: string) => FILES_PATH + name
  // The entry loads the application once the outline of the page is painted.
  const names = [ENTRY, ...(entry.dynamicImports ?? [])]
  const first = chunksOf(names)
  return {
    script: urlOf(entry.file),
    styles: [...new Set([...first].flatMap(({ css = [] }) => css))].map(urlOf),
    inlineStyle: fs.readFileSync(path.join(FOLDER, style.file), 'utf8').trim(),
    scriptsOf: (modules) =>
      [...chunksOf([...names, ...modules])]
        .filter((chunk) => chunk !== entry)
        .map((chunk) => urlOf(chunk.file)),
  }
}
