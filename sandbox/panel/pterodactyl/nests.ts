import { type Item, listOf, rawTimestamp, timestamp, type View } from '../http/envelope.ts'
import { notFound } from '../http/errors.ts'
import { pageOf } from '../http/query.ts'
import { ok, type Params, type Route, reads, route, routeTo } from '../http/router.ts'
import type { Panel } from '../panel.ts'
import { variablesOf } from '../state/data.ts'
import type { Egg, EggVariable, Nest } from '../state/rows.ts'

const PATH = '/api/application/nests'
const ONE = `${PATH}/{nest}`

export function presentNest(view: View, nest: Nest): Item {
  const { data } = view.panel
  const eggs = () => data.eggs.where(({ nestId }) => nestId === nest.id)
  return {
    object: 'nest',
    attributes: {
      id: nest.id,
      uuid: nest.uuid,
      author: nest.author,
      name: nest.name,
      description: nest.description,
      created_at: timestamp(nest.createdAt),
      updated_at: timestamp(nest.updatedAt),
      ...view.relations({
        eggs: {
          resource: 'eggs',
          load: (into) => listOf(eggs().map((it) => into.present.egg(into, it))),
        },
        servers: {
          resource: 'servers',
          load: (into) => {
            const ids = new Set(eggs().map(({ id }) => id))
            const own = data.servers.where(({ eggId }) => ids.has(eggId))
            return listOf(own.map((it) => into.present.server(into, it)))
          },
        },
      }),
    },
  }
}

export function presentEgg(view: View, egg: Egg): Item {
  const { data } = view.panel
  return {
    object: 'egg',
    attributes: {
      id: egg.id,
      uuid: egg.uuid,
      name: egg.name,
      nest: egg.nestId,
      author: egg.author,
      description: egg.description,
      docker_image: Object.values(egg.dockerImages)[0] ?? '',
      docker_images: orEmptyList(egg.dockerImages),
      config: {
        files: orEmptyList(egg.config.files),
        startup: orEmptyList(egg.config.startup),
        stop: egg.config.stop,
        logs: orEmptyList(egg.config.logs),
        file_denylist: egg.fileDenylist,
        extends: null,
      },
      startup: Object.values(egg.startupCommands)[0] ?? null,
      script: {
        privileged: true,
        install: egg.script.install,
        entry: egg.script.entry,
        container: egg.script.container,
        extends: null,
      },
      created_at: timestamp(egg.createdAt),
      updated_at: timestamp(egg.updatedAt),
      ...view.relations({
        nest: { resource: 'nests', load: (into) => presentNest(into, data.nests.get(egg.nestId)) },
        servers: {
          resource: 'servers',
          load: (into) => {
            const own = data.servers.where(({ eggId }) => eggId === egg.id)
            return listOf(own.map((it) => into.present.server(into, it)))
          },
        },
        // Of use only where an egg takes these from another one, which none of ours does.
        config: { resource: 'eggs', load: () => null },
        script: { resource: 'eggs', load: () => null },
        variables: {
          resource: 'eggs',
          load: () => listOf(variablesOf(data, egg.id).map((it) => presentVariable(it))),
        },
      }),
    },
  }
}

export function presentVariable(variable: EggVariable): Item {
  return {
    object: 'egg_variable',
    attributes: {
      id: variable.id,
      egg_id: variable.eggId,
      name: variable.name,
      description: variable.description,
      env_variable: variable.envVariable,
      default_value: variable.defaultValue,
      user_viewable: variable.userViewable,
      user_editable: variable.userEditable,
      rules: variable.rules.join('|'),
      created_at: rawTimestamp(variable.createdAt),
      updated_at: rawTimestamp(variable.updatedAt),
    },
  }
}

export const nestRoutes: Route[] = [
  route({
    method: 'GET',
    path: PATH,
    access: reads('nests'),
    run: (call) =>
      ok(pageOf(call, call.panel.data.nests.all(), {}, (it) => presentNest(call.view, it))),
  }),
  routeTo({
    method: 'GET',
    path: ONE,
    access: reads('nests'),
    target: nestIn,
    run: (call, nest) => ok(presentNest(call.view, nest)),
  }),
  routeTo({
    method: 'GET',
    path: `${ONE}/eggs`,
    access: reads('eggs'),
    target: nestIn,
    run: ({ panel, view }, nest) => {
      const eggs = panel.data.eggs.where(({ nestId }) => nestId === nest.id)
      return ok(listOf(eggs.map((it) => presentEgg(view, it))))
    },
  }),
  routeTo({
    method: 'GET',
    path: `${ONE}/eggs/{egg}`,
    access: reads('eggs'),
    target: (panel, params) => {
      const egg = panel.data.eggs.find(Number(params.egg))
      if (egg?.nestId !== nestIn(panel, params).id) throw notFound()
      return egg
    },
    run: (call, egg) => ok(presentEgg(call.view, egg)),
  }),
]

function nestIn(panel: Panel, params: Params): Nest {
  const nest = panel.data.nests.find(Number(params.nest))
  if (!nest) throw notFound()
  return nest
}

/** An empty map is a list in the panel's language. */
export function orEmptyList(map: unknown): unknown {
  return typeof map === 'object' && map !== null && Object.keys(map).length > 0 ? map : []
}
