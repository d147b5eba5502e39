import { parseArgs } from 'node:util'
import type { ArgsDef, CommandDef } from 'citty'
import { reasonOf, StartError } from '#platform/start-error.ts'

/** The options of every command, in addition to its own. */
const ALWAYS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

/**
 * Refuses unknown options and arguments: citty ignores them silently, and an import with a misspelt `--dry-run`
 * would be a real one. Throws a `StartError` that names the word.
 */
export function assertKnown(command: CommandDef, words: readonly string[]): void {
  const name = ['moorage']
  let [here, rest] = [command, [...words]]
  for (;;) {
    const { subCommands } = here as { subCommands?: Record<string, CommandDef> }
    const next = subCommands?.[rest[0] ?? '']
    // citty itself reports a missing or unknown subcommand.
    if (!next && subCommands) return
    if (!next) break
    name.push(rest[0] ?? '')
    here = next
    rest = rest.slice(1)
  }
  const args = Object.entries((here.args ?? {}) as ArgsDef)
  const places = args.filter(([, { type }]) => type === 'positional').length
  const options = args
    .filter(([, { type }]) => type !== 'positional')
    .map(([key, { type }]) => [key, { type: type === 'boolean' ? type : 'string' }] as const)
  const known = { ...ALWAYS, ...Object.fromEntries(options) }
  const typed = name.join(' ')
  try {
    const { positionals } = parseArgs({
      ...{ args: rest, options: known, allowPositionals: true, allowNegative: true, strict: true },
    })
    const extra = positionals[places]
    if (extra !== undefined) throw new StartError(`it takes no "${extra}"`)
  } catch (error) {
    throw new StartError(`${typed}: ${firstSentence(error)}. See ${typed} --help.`, {
      cause: error,
    })
  }
}

function firstSentence(error: unknown): string {
  const [sentence = ''] = reasonOf(error).split('. ')
  return sentence
}
