import { type Item, listOf, timestamp, type View } from '../http/envelope.ts'
import { notFound } from '../http/errors.ts'
import { ok, type Route, reads, route, routeTo } from '../http/router.ts'
import { orEmptyList, presentVariable as presentOlder } from '../pterodactyl/nests.ts'
import { variablesOf } from '../state/data.ts'
import type { Egg, EggVariable } from '../state/rows.ts'

const PATH = '/api/application/eggs'

/** An egg of this panel, which has no nests: commands with labels, and rules as lists. */
export function presentEgg(view: View, egg: Egg): Item {
  const { data } = view.panel
  return {
    object: 'egg',
    attributes: {
      id: egg.id,
      uuid: egg.uuid,
      name: egg.name,
      author: egg.author,
      description: egg.description,
      icon: null,
      features: egg.features,
      tags: egg.tags,
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
      startup: Object.values(egg.startupCommands)[0] ?? '',
      startup_commands: orEmptyList(egg.startupCommands),
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
        servers: {
          resource: 'servers',
          load: (into) => {
            const own = data.servers.where(({ eggId }) => eggId === egg.id)
            return listOf(own.map((it) => into.present.server(into, it)))
          },
        },
        variables: {
          resource: 'eggs',
          load: () => listOf(variablesOf(data, egg.id).map(presentVariable)),
        },
      }),
    },
  }
}

export function presentVariable(variable: EggVariable): Item {
  const item = presentOlder(variable)
  return {
    ...item,
    attributes: { ...item.attributes, rules: variable.rules, sort: variable.sort },
  }
}

export const eggRoutes: Route[] = [
  route({
    method: 'GET',
    path: PATH,
    access: reads('eggs'),
    run: ({ panel, view }) => ok(listOf(panel.data.eggs.all().map((it) => presentEgg(view, it)))),
  }),
  routeTo({
    method: 'GET',
    path: `${PATH}/{egg}`,
    access: reads('eggs'),
    target: ({ data }, params) => {
      const egg = data.eggs.find(Number(params.egg))
      if (!egg) throw notFound()
      return egg
    },
    run: (call, egg) => ok(presentEgg(call.view, egg)),
  }),
]
