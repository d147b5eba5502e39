import { type Item, listOf, timestamp, type View } from '../http/envelope.ts'
import { notFound, refused } from '../http/errors.ts'
import { containing, pageOf } from '../http/query.ts'
import {
  type Call,
  created,
  noContent,
  ok,
  type Params,
  type Route,
  reads,
  route,
  routeTo,
  writes,
} from '../http/router.ts'
import type { Panel } from '../panel.ts'
import { validate } from '../rules/validate.ts'
import { same } from '../state/data.ts'
import type { Location } from '../state/rows.ts'

const PATH = '/api/application/locations'
const ONE = `${PATH}/{location}`

export function presentLocation(view: View, location: Location): Item {
  const { nodes, servers } = view.panel.data
  const own = () => nodes.where((node) => node.locationId === location.id)
  return {
    object: 'location',
    attributes: {
      id: location.id,
      short: location.short,
      long: location.long,
      updated_at: timestamp(location.updatedAt),
      created_at: timestamp(location.createdAt),
      ...view.relations({
        nodes: {
          resource: 'nodes',
          load: (into) => listOf(own().map((it) => into.present.node(into, it))),
        },
        servers: {
          resource: 'servers',
          load: (into) => {
            const ids = new Set(own().map(({ id }) => id))
            const here = servers.where(({ nodeId }) => ids.has(nodeId))
            return listOf(here.map((it) => into.present.server(into, it)))
          },
        },
      }),
    },
  }
}

export const locationRoutes: Route[] = [
  route({
    method: 'GET',
    path: PATH,
    access: reads('locations'),
    run: (call) =>
      ok(
        pageOf(
          call,
          call.panel.data.locations.all(),
          {
            filters: { short: containing((it) => it.short), long: containing((it) => it.long) },
            sorts: { id: (it) => it.id },
          },
          (it) => presentLocation(call.view, it),
        ),
      ),
  }),
  route({
    method: 'POST',
    path: PATH,
    access: writes('locations'),
    run: (call) => {
      checkFields(call, null)
      const stamps = { createdAt: call.now, updatedAt: call.now }
      const location = call.panel.data.locations.insert({
        short: call.fields.text('short'),
        long: call.fields.textOrNull('long'),
        ...stamps,
      })
      return created(
        presentLocation(call.view, location),
        `${call.url.origin}${PATH}/${location.id}`,
      )
    },
  }),
  routeTo({
    method: 'GET',
    path: ONE,
    access: reads('locations'),
    target: locationIn,
    run: (call, location) => ok(presentLocation(call.view, location)),
  }),
  routeTo({
    method: 'PATCH',
    path: ONE,
    access: writes('locations'),
    target: locationIn,
    run: (call, location) => {
      checkFields(call, location.id)
      location.short = call.fields.text('short')
      if (call.fields.has('long')) location.long = call.fields.textOrNull('long')
      location.updatedAt = call.now
      return ok(presentLocation(call.view, location))
    },
  }),
  routeTo({
    method: 'DELETE',
    path: ONE,
    access: writes('locations'),
    target: locationIn,
    run: ({ panel: { data } }, location) => {
      if (data.nodes.first((node) => node.locationId === location.id)) {
        const detail = 'Cannot delete a location that has active nodes attached to it.'
        throw refused(detail, 'HasActiveNodesException')
      }
      data.locations.delete(location.id)
      return noContent
    },
  }),
]

function locationIn(panel: Panel, params: Params): Location {
  const location = panel.data.locations.find(Number(params.location))
  if (!location) throw notFound()
  return location
}

function checkFields({ input, panel }: Call, id: number | null): void {
  const isFree = (value: unknown) =>
    !panel.data.locations.first((it) => it.id !== id && same(it.short, String(value)))
  validate({
    input,
    rules: {
      short: ['required|string|between:1,60', { name: 'unique', passes: isFree }],
      long: ['nullable|string|between:1,191'],
    },
  })
}
