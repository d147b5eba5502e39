import { refused } from '../../http/errors.ts'
import type { Call, Reply } from '../../http/router.ts'
import { type Creation, createServer } from '../../pterodactyl/servers/create.ts'
import { freeAllocation } from '../../pterodactyl/servers/placement.ts'
import { serverRoutesWith } from '../../pterodactyl/servers/routes.ts'
import { changeBuild, limitRules } from '../../pterodactyl/servers/update.ts'
import type { RuleSet } from '../../rules/validate.ts'
import type { Server } from '../../state/rows.ts'
import { viableNodes } from '../deployable.ts'

/** What a server starts with may be left to its egg. */
export const SERVER_START = {
  startup: ['sometimes|string'],
  image: ['sometimes|string'],
} satisfies Record<string, RuleSet>

const PELICAN: Creation = {
  rules: {
    docker_image: SERVER_START.image,
    startup: SERVER_START.startup,
    oom_killer: ['sometimes|boolean'],
    'limits.io': ['required|numeric|between:0,1000'],
  },
  deployRules: {
    'deploy.tags': ['present|array'],
    'deploy.tags.*': ['string|min:1'],
    'deploy.dedicated_ip': ['required_with:deploy|boolean'],
    'deploy.port_range': ['present|array'],
    'deploy.port_range.*': ['string'],
  },
  place,
  oomDisabled: (fields) => !fields.flag('oom_killer', false),
}

export const serverRoutes = serverRoutesWith({
  create: (call) => createServer(call, PELICAN),
  build: updateBuild,
})

/** The first node that fits; told no ports, it takes the server without any address. */
function place(call: Call) {
  const { fields, panel } = call
  const nodes = viableNodes(panel.data, {
    memory: fields.number('limits.memory'),
    disk: fields.number('limits.disk'),
    cpu: fields.number('limits.cpu'),
    tags: fields.texts('deploy.tags'),
  })
  const [first] = nodes
  if (!first) {
    const detail =
      'No nodes satisfying the requirements specified for automatic deployment could be found.'
    throw refused(detail, 'NoViableNodeException')
  }
  if (fields.texts('deploy.port_range').length === 0) return { nodeId: first.id, allocation: null }
  const allocation = freeAllocation(call, nodes)
  return { nodeId: allocation.nodeId, allocation }
}

function updateBuild(call: Call, server: Server): Reply {
  return changeBuild(call, server, {
    rules: {
      allocation: ['sometimes|nullable|integer'],
      oom_killer: ['sometimes|boolean'],
      ...limitRules(false),
    },
    oomDisabled: !call.fields.flag('oom_killer', !server.oomDisabled),
  })
}
