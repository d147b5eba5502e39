import fs from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../..')

/** A block of commands in the documentation. */
export type CommandBlock = {
  readonly page: string
  readonly line: number
  readonly text: string
  /** What only a reader has, and the commands need; null if they need nothing of the kind. */
  readonly outside: string | null
}

/** The pages of the documentation that are written by hand, by file name in `docs`. */
export const PAGES: readonly string[] = fs
  .readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((it) => it.endsWith('.md') && !it.startsWith('.'))
  .sort()

export function textOfPage(page: string): string {
  return fs.readFileSync(path.join(ROOT, 'docs', page), 'utf8')
}

/** The blocks of commands of a page, in order. */
export function commandBlocks(page: string): CommandBlock[] {
  return fencesOf(page)
    .filter(({ language }) => language === 'sh')
    .map(({ line, text, info }) => {
      const [, outside = null] = /(?:^| )outside:(\S+)/.exec(info.join(' ')) ?? []
      return { page, line, text, outside }
    })
}

type Fence = { line: number; language: string; info: readonly string[]; text: string }

/** The fenced blocks of a page, whatever they are written in. */
export function fencesOf(page: string): Fence[] {
  const fences: Fence[] = []
  let open: { line: number; fence: string; info: string[]; lines: string[] } | null = null
  for (const [index, line] of textOfPage(page).split('\n').entries()) {
    const [, fence = '', info = ''] = /^ *(`{3,})(.*)$/.exec(line) ?? []
    if (open && fence === open.fence && info === '') {
      const [language = '', ...rest] = open.info
      fences.push({ line: open.line, language, info: rest, text: open.lines.join('\n') })
      open = null
    } else if (open) open.lines.push(line)
    else if (fence) open = { line: index + 1, fence, info: info.split(/\s+/), lines: [] }
  }
  if (open) throw new Error(`${page}:${open.line}: the block has no end`)
  return fences
}
