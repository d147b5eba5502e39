import {
  doneMarkersOf,
  type Egg,
  type EggVariable,
  rulesOf,
  withContentHash,
  withoutDoubles,
} from '../../eggs/egg.ts'
import type { PanelClient } from '../contract.ts'
import { PanelError } from '../panel-error.ts'
import {
  type Fields,
  flagOf,
  idOf,
  looseTextOf,
  mapOf,
  optionalTextOf,
  relatedOf,
  textMapOf,
  textOf,
} from './envelope.ts'
import type { Transport } from './transport.ts'

/** Few nests per page: with all their eggs and scripts they make large answers. */
const NESTS_PER_PAGE = '10'

export function eggCalls({ listAll }: Transport): Pick<PanelClient, 'listEggs'> {
  return {
    async listEggs() {
      const query = { include: 'eggs.variables', per_page: NESTS_PER_PAGE }
      const nests = await listAll({ path: '/nests', query, background: true }, eggsOfNest)
      return nests.flat().sort((a, b) => (a.remoteId ?? 0) - (b.remoteId ?? 0))
    },
  }
}

function eggsOfNest(nest: Fields): Egg[] {
  const eggs = relatedOf(nest, 'eggs')
  if (!eggs) throw unreadable('eggs')
  return eggs.map(eggOf)
}

/** Without this error, a key that may not read eggs would look like a panel that has none. */
export function unreadable(what: string): PanelError {
  const detail = `The key may not read ${what}.`
  return new PanelError('forbidden', { code: 'permission_missing', detail })
}

/** The variables of an egg. Throws `forbidden` if they may not be read. */
export function variablesOf(row: Fields): Fields[] {
  const variables = relatedOf(row, 'variables')
  if (!variables) throw unreadable('the variables of eggs')
  return variables
}

/** Converts an egg of the API, with its variables, into our form. */
export function eggOf(row: Fields): Egg {
  const variables = variablesOf(row)
  const config = mapOf(row.config)
  const startup = looseTextOf(row, 'startup')
  return withContentHash({
    source: 'panel',
    remoteId: idOf(row),
    uuid: optionalTextOf(row, 'uuid'),
    name: textOf(row, 'name'),
    author: optionalTextOf(row, 'author'),
    description: looseTextOf(row, 'description'),
    tags: [],
    features: [],
    dockerImages: imagesOf(row),
    startupCommands: startup === '' ? [] : [{ label: 'Default', command: startup }],
    stop: looseTextOf(config, 'stop'),
    doneMarkers: doneMarkersOf(mapOf(config.startup).done),
    variables: withoutDoubles(variables.map(variableOf)),
    updateUrl: null,
  })
}

/** The map of images; very old panels have a single one. */
export function imagesOf(row: Fields): Egg['dockerImages'] {
  const images = Object.entries(textMapOf(row.docker_images))
  if (images.length > 0) return images.map(([label, image]) => ({ label, image }))
  const image = looseTextOf(row, 'docker_image')
  return image === '' ? [] : [{ label: image, image }]
}

export function variableOf(row: Fields, index: number): EggVariable {
  const env = textOf(row, 'env_variable')
  return {
    env,
    name: looseTextOf(row, 'name') || env,
    description: looseTextOf(row, 'description'),
    default: looseTextOf(row, 'default_value'),
    rules: rulesOf(row.rules),
    viewable: flagOf(row, 'user_viewable'),
    editable: flagOf(row, 'user_editable'),
    sort: index,
  }
}
