import { type Detail, unprocessable } from '#lib/problem.ts'
import {
  doneMarkersOf,
  type Egg,
  type EggVariable,
  inOrder,
  rulesOf,
  startupCommandsOf,
  textsOf,
  withContentHash,
  withoutDoubles,
} from './egg.ts'
import { parsedFile } from './parsing.ts'

type Fields = Record<string, unknown>
type Reader = (file: Fields) => Egg

/** One reader for each format; a new format is a new entry. */
const READERS: Record<string, Reader> = {
  PTDL_v1: (file) => eggOf(file, imagesOfFirstFormat(file)),
  PTDL_v2: (file) => eggOf(file, labelledImages(file.docker_images)),
  PLCN_v1: (file) => eggOf(file, labelledImages(file.docker_images)),
  PLCN_v2: (file) => eggOf(file, labelledImages(file.docker_images)),
  // Its `image` is a picture of the game.
  PLCN_v3: (file) => eggOf(file, labelledImages(file.docker_images), file.startup_commands),
}

/**
 * Reads an exported egg file, JSON or YAML. Throws a 422: `egg_file_unreadable` if it is neither,
 * `egg_format_unsupported` for a version this service does not know, `egg_file_invalid` with
 * details if parts are missing or too large.
 */
export function readEggFile(text: string): Egg {
  const file = fieldsOf(parsedFile(text))
  const { version } = fieldsOf(file.meta)
  if (typeof version !== 'string') {
    throw unprocessable('The file is not an egg: it names no version.', 'egg_file_unreadable')
  }
  const reader = Object.hasOwn(READERS, version) ? READERS[version] : undefined
  if (!reader) {
    const known = Object.keys(READERS).join(', ')
    throw unprocessable(
      `The egg format is not supported; supported are ${known}.`,
      'egg_format_unsupported',
    )
  }
  const egg = reader(file)
  const details = shortcomingsOf(egg)
  if (details.length > 0) {
    throw unprocessable('The egg file cannot be used.', 'egg_file_invalid', details)
  }
  return egg
}

/** The largest public egg has 60 variables. */
const MAX_ENTRIES = 250
const MAX_NAME = 200
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function shortcomingsOf(egg: Egg): Detail[] {
  const details: Detail[] = []
  if (egg.name === '') details.push({ path: 'name', message: 'The egg needs a name.' })
  if (egg.name.length > MAX_NAME) details.push({ path: 'name', message: 'The name is too long.' })
  if (egg.uuid !== null && !UUID.test(egg.uuid)) {
    details.push({ path: 'uuid', message: 'The egg’s `uuid` is not a valid UUID.' })
  }
  for (const [path, { length }] of [
    ['variables', egg.variables],
    ['docker_images', egg.dockerImages],
    ['startup_commands', egg.startupCommands],
  ] as const) {
    if (length > MAX_ENTRIES)
      details.push({ path, message: `has more than ${MAX_ENTRIES} entries` })
  }
  if (egg.dockerImages.length === 0) {
    details.push({ path: 'docker_images', message: 'The egg names no docker image.' })
  }
  egg.variables.forEach(({ env }, index) => {
    if (/^\w{1,191}$/.test(env)) return
    const path = `variables.${index}.env_variable`
    details.push({ path, message: 'A variable name has letters, digits and _ only.' })
  })
  return details
}

function eggOf(
  file: Fields,
  dockerImages: Egg['dockerImages'],
  startup: unknown = { Default: file.startup },
): Egg {
  const config = fieldsOf(file.config)
  return withContentHash({
    source: 'file',
    remoteId: null,
    uuid: optionalText(file.uuid),
    name: textOf(file.name).trim(),
    author: optionalText(file.author),
    description: textOf(file.description),
    tags: textsOf(file.tags),
    features: textsOf(file.features),
    dockerImages,
    startupCommands: startupCommandsOf(startup),
    stop: textOf(config.stop),
    doneMarkers: doneMarkersOf(fieldsOf(embedded(config.startup)).done),
    variables: inOrder(withoutDoubles(listOf(file.variables).map(variableOf))),
    updateUrl: optionalText(fieldsOf(file.meta).update_url),
  })
}

function variableOf(value: unknown, index: number): EggVariable {
  const variable = fieldsOf(value)
  const env = textOf(variable.env_variable).trim()
  return {
    env,
    name: textOf(variable.name) || env,
    description: textOf(variable.description),
    default: textOf(variable.default_value),
    rules: rulesOf(variable.rules),
    viewable: flagOf(variable.user_viewable),
    editable: flagOf(variable.user_editable),
    sort:
      typeof variable.sort === 'number' && Number.isSafeInteger(variable.sort)
        ? variable.sort
        : index,
  }
}

/** The first format has one `image`, later a list of `images`; each image is its own label. */
function imagesOfFirstFormat(file: Fields): Egg['dockerImages'] {
  const images = Array.isArray(file.images) ? textsOf(file.images) : textsOf([file.image])
  return images.map((image) => ({ label: image, image }))
}

function labelledImages(value: unknown): Egg['dockerImages'] {
  return Object.entries(fieldsOf(value)).flatMap(([label, image]) =>
    typeof image === 'string' && image !== '' ? [{ label, image }] : [],
  )
}

/** Parts of the configuration are JSON in a text; a text that is not JSON counts as empty. */
function embedded(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return {}
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Texts unchanged; numbers and booleans as text; anything else is empty. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function optionalText(value: unknown): string | null {
  return textOf(value).trim() || null
}

/** A boolean; older files contain 1 and 0. */
function flagOf(value: unknown): boolean {
  return value === true || value === 1 || value === '1'
}
