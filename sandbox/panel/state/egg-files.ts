import { readdirSync, readFileSync } from 'node:fs'
import { isRecord } from '../http/input.ts'
import type { Egg, EggVariable } from './rows.ts'

type Unplaced<Row> = Omit<Row, 'id' | 'nestId' | 'eggId' | 'uuid' | 'createdAt' | 'updatedAt'>

/** An egg as a file describes it, before it has a place in a panel. */
export type EggFile = {
  fileName: string
  egg: Unplaced<Egg>
  variables: Unplaced<EggVariable>[]
}

/** The egg files that come with the sandbox, those of a folder in the order of their names. */
export function readEggFiles(folder: 'eggs' | 'pelican-eggs' = 'eggs'): EggFile[] {
  const at = new URL(`../data/${folder}/`, import.meta.url)
  return readdirSync(at)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => parseEgg(name, JSON.parse(readFileSync(new URL(name, at), 'utf8'))))
}

/** Reads an export of a Pterodactyl or Pelican panel. Throws for anything else. */
export function parseEgg(fileName: string, file: unknown): EggFile {
  const version = text(record(record(file).meta).version)
  if (!/^(PTDL_v[12]|PLCN_v[123])$/.test(version)) {
    throw new Error(`${fileName} is no egg of a known format`)
  }
  const egg = record(file)
  const config = record(egg.config)
  const installation = record(record(egg.scripts).installation)
  return {
    fileName,
    egg: {
      name: text(egg.name),
      author: text(egg.author),
      description: textOrNull(egg.description),
      features: list(egg.features).map(text),
      dockerImages: imagesOf(egg),
      fileDenylist: list(egg.file_denylist).map(text),
      tags: list(egg.tags).map(text),
      startupCommands: commandsOf(egg),
      config: {
        files: embedded(config.files),
        startup: embedded(config.startup),
        logs: embedded(config.logs),
        stop: textOrNull(config.stop),
      },
      script: {
        install: text(installation.script).replaceAll('\r\n', '\n'),
        entry: text(installation.entrypoint) || 'ash',
        container: text(installation.container) || 'alpine:3.4',
      },
    },
    variables: list(egg.variables).map((it, index) => variableOf(record(it), index)),
  }
}

/** One image, a list of them, or labels with images: the three forms the formats had. */
function imagesOf(egg: Record<string, unknown>): Record<string, string> {
  const labelled = Object.entries(record(egg.docker_images))
  if (labelled.length > 0) {
    return Object.fromEntries(labelled.map(([label, image]) => [label, text(image)]))
  }
  const images = list(egg.images).length > 0 ? list(egg.images) : [egg.image]
  return Object.fromEntries(images.map((image) => [text(image), text(image)]))
}

/** Commands with labels, or the one of the older formats. */
function commandsOf(egg: Record<string, unknown>): Record<string, string> {
  const labelled = Object.entries(record(egg.startup_commands))
  if (labelled.length > 0) {
    return Object.fromEntries(labelled.map(([label, command]) => [label, text(command)]))
  }
  const startup = textOrNull(egg.startup)
  return startup === null ? {} : { Default: startup }
}

function variableOf(variable: Record<string, unknown>, index: number): Unplaced<EggVariable> {
  return {
    name: text(variable.name),
    description: text(variable.description),
    envVariable: text(variable.env_variable),
    defaultValue: text(variable.default_value),
    userViewable: Boolean(variable.user_viewable),
    userEditable: Boolean(variable.user_editable),
    rules: Array.isArray(variable.rules)
      ? variable.rules.map(text)
      : text(variable.rules).split('|'),
    sort: typeof variable.sort === 'number' ? variable.sort : index,
  }
}

/** JSON inside a text, as these files carry it. */
function embedded(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? JSON.parse(value) : value
}

function record(value: unknown): Record<string, unknown> {
  return isRecord(value) && !Array.isArray(value) ? value : {}
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return textOrNull(value) ?? ''
}

function textOrNull(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}
