import {
  doneMarkersOf,
  type Egg,
  inOrder,
  rulesOf,
  startupCommandsOf,
  textsOf,
  withContentHash,
  withoutDoubles,
} from '../../eggs/egg.ts'
import type { PanelClient } from '../contract.ts'
import { imagesOf, variableOf, variablesOf } from '../pterodactyl/eggs.ts'
import {
  type Fields,
  idOf,
  looseTextOf,
  mapOf,
  optionalNumberOf,
  optionalTextOf,
  textOf,
} from '../pterodactyl/envelope.ts'
import type { Transport } from '../pterodactyl/transport.ts'

export function eggCalls({ listAll }: Transport): Pick<PanelClient, 'listEggs'> {
  return {
    listEggs() {
      const query = { include: 'variables' }
      return listAll({ path: '/eggs', query, background: true }, eggOf)
    },
  }
}

/** Converts an egg of the API, with its variables, into our form. Pelican has no nests. */
function eggOf(row: Fields): Egg {
  const config = mapOf(row.config)
  const variables = variablesOf(row).map((variable, index) => ({
    ...variableOf(variable, index),
    rules: rulesOf(variable.rules),
    sort: optionalNumberOf(variable, 'sort') ?? index,
  }))
  return withContentHash({
    source: 'panel',
    remoteId: idOf(row),
    uuid: optionalTextOf(row, 'uuid'),
    name: textOf(row, 'name'),
    author: optionalTextOf(row, 'author'),
    description: looseTextOf(row, 'description'),
    tags: textsOf(row.tags),
    features: textsOf(row.features),
    dockerImages: imagesOf(row),
    startupCommands: startupCommandsOf(row.startup_commands),
    stop: looseTextOf(config, 'stop'),
    doneMarkers: doneMarkersOf(mapOf(config.startup).done),
    variables: inOrder(withoutDoubles(variables)),
    updateUrl: null,
  })
}
