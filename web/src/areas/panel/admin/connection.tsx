import type { components } from '@moorage/client'
import { useState } from 'react'
import { useAction } from '../../../api/actions.ts'
import { client } from '../../../api/client.ts'
import { useForm } from '../../../api/forms.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  Button,
  Faulty,
  PasswordInput,
  Select,
  type TestStep,
  TestSteps,
  TextInput,
  told,
  useChange,
} from '../../../ui/index.ts'
import type { PanelNode } from './reads.ts'

type NodeTest = components['schemas']['NodeTest']

const CHANGES = [['nodes'], ['admin', 'readiness'], ['eggs']] as const
const DEFAULT_NAME = 'Panel'

type FormProps = {
  /** The connection to change; without it, a new one is created. */
  readonly node: PanelNode | null
  readonly done: (node: PanelNode) => void
}

function fieldsOf(node: PanelNode | null) {
  return {
    name: node?.name ?? DEFAULT_NAME,
    url: node?.url ?? '',
    type: node?.type ?? ('auto' as PanelNode['type']),
    signOnUrl: node?.signOnUrl ?? '',
  }
}

/** The address of the panel and its API keys. */
export function ConnectionForm({ node, done }: FormProps) {
  const { panels } = useAdminTexts()
  const params = { path: { id: node?.id ?? '' } }
  const form = useForm({
    name: `panel:${node?.id ?? 'new'}`,
    saved: fieldsOf(node),
    secrets: { apiKey: '', clientApiKey: '' },
    call: ({ name, url, type, signOnUrl, apiKey, clientApiKey }, intent) => {
      const body = {
        ...{ name: name.trim(), url: url.trim(), type, signOnUrl: signOnUrl.trim() || null },
        ...(clientApiKey.trim() && { clientApiKey: clientApiKey.trim() }),
      }
      const key = apiKey.trim()
      if (!node)
        return client.POST('/v1/admin/nodes', { body: { ...body, apiKey: key }, ...intent })
      return client.PATCH('/v1/admin/nodes/{id}', {
        params,
        body: { ...body, ...(key && { apiKey: key }) },
        ...intent,
      })
    },
    edits: node && { read: () => client.GET('/v1/admin/nodes/{id}', { params }), fieldsOf },
    changes: CHANGES,
    done: (saved) => {
      told(panels.saved)
      done(saved)
    },
  })
  const { text, choice } = form
  const kept = (last: string | null | undefined) => (last ? panels.keepKey(last) : null)
  return (
    <form className="stack form-width" onSubmit={form.submit}>
      <Faulty fault={form.fault} />
      <TextInput
        {...text('url')}
        label={panels.url}
        description={panels.urlHint}
        placeholder="https://panel.example.org"
        inputMode="url"
        autoComplete="off"
        required
      />
      <PasswordInput
        {...text('apiKey')}
        label={panels.apiKey}
        description={kept(node?.apiKey) ?? panels.apiKeyHint}
        autoComplete="off"
        required={node === null}
      />
      <PasswordInput
        {...text('clientApiKey')}
        label={panels.clientApiKey}
        description={kept(node?.clientApiKey) ?? panels.clientApiKeyHint}
        autoComplete="off"
      />
      <div className="grid cols-2">
        <TextInput
          {...text('name')}
          label={panels.name}
          description={panels.nameHint}
          autoComplete="off"
          required
        />
        <Select
          {...choice('type')}
          label={panels.type}
          allowDeselect={false}
          data={(['auto', 'pterodactyl', 'pelican'] as const).map((value) => ({
            value,
            label: panels.types[value],
          }))}
        />
      </div>
      {node ? (
        <TextInput
          {...text('signOnUrl')}
          label={panels.signOnUrl}
          description={panels.signOnUrlHint}
          inputMode="url"
          autoComplete="off"
        />
      ) : null}
      <div className="row">
        <Button type="submit" loading={form.isSaving}>
          {node ? panels.save : panels.connect}
        </Button>
      </div>
    </form>
  )
}

/** Tests a connection and shows each step; a failed step shows what to do. */
export function useConnectionTest() {
  const [found, setFound] = useState<{ test: NodeTest; status: PanelNode['status'] } | null>(null)
  const status = useAction((id: string) =>
    client.GET('/v1/admin/nodes/{id}', { params: { path: { id } } }),
  )
  const test = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/nodes/{id}/test', { params: { path: { id } }, ...intent }),
    {
      changes: CHANGES,
      done: (answer, id) =>
        // The connection shows whether the address or the key is wrong.
        status.mutate(id, {
          onSuccess: (node) => setFound({ test: answer, status: node.status }),
        }),
    },
  )
  return { found, run: test.mutate, isRunning: test.isPending || status.isPending }
}

type TestProps = {
  readonly node: PanelNode
  readonly test: ReturnType<typeof useConnectionTest>
}

export function ConnectionTestCard({ node, test }: TestProps) {
  const { panels } = useAdminTexts()
  const { found, run, isRunning } = test
  return (
    <div className="stack">
      {found || isRunning ? (
        <TestSteps
          label={panels.testOf(node.name)}
          steps={isRunning || !found ? runningSteps(panels) : stepsOf(node, found, panels)}
        />
      ) : null}
      <div className="row">
        <Button variant="default" loading={isRunning} onClick={() => run(node.id)}>
          {panels.test}
        </Button>
      </div>
    </div>
  )
}

type Texts = ReturnType<typeof useAdminTexts>['panels']
const STEPS = ['reached', 'encrypted', 'key', 'rights', 'places'] as const

function runningSteps(texts: Texts): readonly TestStep[] {
  return STEPS.map((key, index) => ({
    ...{ key, name: texts.steps[key], state: index === 0 ? ('now' as const) : ('todo' as const) },
  }))
}

type Found = { readonly test: NodeTest; readonly status: PanelNode['status'] }

/** The result of a step after a failed one is unknown. */
function stepsOf(node: PanelNode, { test, status }: Found, texts: Texts): readonly TestStep[] {
  const { ok, message, missingPermissions, locations, latencyMs } = test
  const isReached = ok || status !== 'unreachable'
  const isKnown = ok || missingPermissions.length > 0
  const isEncrypted = node.url.startsWith('https:')
  const after = (reached: boolean, good: boolean) =>
    reached ? (good ? ('done' as const) : ('bad' as const)) : ('todo' as const)
  const names = locations.map(({ name }) => name).join(', ')
  const step = (key: (typeof STEPS)[number], state: TestStep['state'], detail: string | null) => ({
    ...{ key, name: texts.steps[key], state, detail },
  })
  return [
    step('reached', isReached ? 'done' : 'bad', isReached ? texts.latency(latencyMs) : message),
    // Not an error: a panel may be in a private network.
    step('encrypted', isReached && isEncrypted ? 'done' : 'todo', isEncrypted ? null : texts.plain),
    step('key', after(isReached, isKnown), isReached && !isKnown ? message : null),
    step(
      'rights',
      after(isKnown, missingPermissions.length === 0),
      missingPermissions.length > 0 ? texts.missingRights(missingPermissions.join(', ')) : null,
    ),
    step(
      'places',
      after(ok, locations.length > 0),
      ok
        ? locations.length > 0
          ? texts.locations(names, locations.length)
          : texts.noLocations
        : null,
    ),
  ]
}

/** Syncs the games of a panel to the catalogue. */
export function SyncEggs({ node }: { node: PanelNode }) {
  const { panels } = useAdminTexts()
  const sync = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/nodes/{id}/sync-eggs', { params: { path: { id } }, ...intent }),
    {
      changes: [['eggs']],
      done: (counts) => told(panels.synced(counts)),
    },
  )
  return (
    <Button variant="default" loading={sync.isPending} onClick={() => sync.mutate(node.id)}>
      {panels.sync}
    </Button>
  )
}
