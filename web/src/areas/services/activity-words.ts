import type { components } from '@moorage/client'
import type { Texts } from '../../texts/index.tsx'

type Entry = components['schemas']['ServerActivity']
export type Deed = keyof Texts['services']['did']

/** The kind of action of an event of the panel: the first match. */
const DEEDS: readonly (readonly [RegExp, Deed])[] = [
  [/power\.start$/, 'start'],
  [/power\.stop$/, 'stop'],
  [/power\.restart$/, 'restart'],
  [/power\.kill$/, 'kill'],
  [/crash/, 'crashed'],
  [/console\.command/, 'command'],
  [/file\.(read|download)/, 'read'],
  [/file|sftp/, 'files'],
  [/backup/, 'backup'],
  [/database/, 'database'],
  [/startup|settings|allocation|schedule|subuser|reinstall/, 'settings'],
]

/** The kind of action of an event. */
export function deedOf({ event }: Pick<Entry, 'event'>): Deed {
  return DEEDS.find(([events]) => events.test(event))?.[1] ?? 'other'
}

/** The object of an event, if the panel reports it: the command or file names; else the event, if of unknown kind. */
export function objectOf(entry: Pick<Entry, 'event' | 'metadata'>): string {
  const { command, file, files, directory, name } = entry.metadata
  if (typeof command === 'string') return command
  const names = Array.isArray(files) ? files.filter((it) => typeof it === 'string') : []
  const first = [file, name, directory].find((it) => typeof it === 'string')
  if (names.length > 0) return names.join(', ')
  if (typeof first === 'string') return first
  return deedOf(entry) === 'other' ? entry.event : ''
}
