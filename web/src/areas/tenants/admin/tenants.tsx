import type { components } from '@moorage/client'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ActDialog,
  ActionMenu,
  Button,
  Confirm,
  Copy,
  type DataColumn,
  DataList,
  Empty,
  I,
  IconAction,
  Once,
  Page,
  Tag,
  Textarea,
  TextInput,
  type Tone,
  told,
  useChange,
  useFormats,
} from '../../../ui/index.ts'

type Tenant = components['schemas']['Tenant']
type SetupLink = components['schemas']['SetupLink']

const TONES: Readonly<Record<Tenant['status'], Tone>> = {
  ...{ active: 'active', suspended: 'attention', closed: 'ended' },
}

/** The shops of the installation, for those who run it. */
export function Tenants() {
  const { tenants: texts } = useAdminTexts()
  const { date, moment } = useFormats()
  const mayWrite = useMay()('tenants:write')
  const [isAdding, add] = useState(false)
  const [link, show] = useState<SetupLink | null>(null)
  const list = useList(['tenants'], (where, signal) =>
    client.GET('/v1/admin/tenants', { params: { query: where }, signal }),
  )
  const columns: readonly DataColumn<Tenant>[] = [
    {
      ...{ id: 'name', head: texts.name, value: ({ name }: Tenant) => name },
      cell: ({ name, isDefault, proposedDomains }) => (
        <span>
          <span className="strong">{name}</span>
          {isDefault ? <span className="sub"> {texts.main}</span> : null}
          {proposedDomains.length > 0 ? (
            <span className="sub block">{texts.proposed(proposedDomains.join(', '))}</span>
          ) : null}
        </span>
      ),
    },
    {
      ...{ id: 'domains', head: texts.domains, small: 'sub' },
      value: ({ url }) => url,
      cell: ({ url }) => (
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      ),
    },
    {
      ...{ id: 'sells', head: texts.sells, small: 'hide' },
      value: ({ sellerReadyAt }) => (sellerReadyAt ? texts.sells : texts.sellsNot),
      cell: ({ sellerReadyAt }) => (sellerReadyAt ? texts.sells : texts.sellsNot),
    },
    {
      ...{ id: 'since', head: texts.since, small: 'hide', value: ({ createdAt }) => createdAt },
      cell: ({ createdAt }) => date(createdAt),
    },
    {
      ...{ id: 'status', head: texts.status, small: 'second' },
      value: ({ status }) => texts.statuses[status],
      cell: ({ status }) => <Tag tone={TONES[status]}>{texts.statuses[status]}</Tag>,
    },
    ...(mayWrite
      ? [
          {
            ...{ id: 'actions', head: texts.actions(''), silent: true, right: true },
            cell: (tenant: Tenant) => <Actions tenant={tenant} show={show} />,
          },
        ]
      : []),
  ]
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={
        mayWrite ? (
          <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => add(true)}>
            {texts.add}
          </Button>
        ) : null
      }
    >
      <DataList
        name="tenants"
        caption={texts.title}
        list={list}
        columns={columns}
        empty={<Empty icon={I.Building} title={texts.none} />}
      />
      {isAdding ? <NewTenant close={() => add(false)} show={show} /> : null}
      <Once title={texts.link} opened={link !== null} close={() => show(null)}>
        <p className="dim">
          {texts.linkOnce} {link ? moment(link.expiresAt) : ''}
        </p>
        <Copy big value={link?.url ?? ''} label={texts.link} />
      </Once>
    </Page>
  )
}

type ActionsProps = { readonly tenant: Tenant; readonly show: (link: SetupLink) => void }

function Actions({ tenant, show }: ActionsProps) {
  const { tenants: texts } = useAdminTexts()
  const [isAsking, ask] = useState(false)
  const params = { path: { id: tenant.id } }
  const change = useChange(
    (body: { status?: Tenant['status']; domains?: string[] }) =>
      client.PATCH('/v1/admin/tenants/{id}', { params, body }),
    {
      changes: [['tenants']],
      done: () => {
        ask(false)
        told(texts.changed)
      },
    },
  )
  const renew = useChange(
    (_: null, intent) => client.POST('/v1/admin/tenants/{id}/setup-link', { params, ...intent }),
    { done: show },
  )
  const { status, domains, proposedDomains, isDefault, name } = tenant
  const allDomains = [...domains, ...proposedDomains]
  const other = status === 'active' ? 'suspended' : 'active'
  const entries = [
    ...(proposedDomains.length > 0
      ? [
          {
            ...{ key: 'approve', label: texts.approve },
            choose: () => change.mutate({ domains: allDomains }),
          },
        ]
      : []),
    { key: 'link', label: texts.newLink, choose: () => renew.mutate(null) },
    ...(isDefault
      ? []
      : [
          {
            ...{ key: 'status', label: status === 'active' ? texts.suspend : texts.open },
            choose: () => change.mutate({ status: other }),
          },
        ]),
    ...(isDefault || status === 'closed'
      ? []
      : [{ key: 'close', label: texts.close, choose: () => ask(true) }]),
  ]
  return (
    <>
      <ActionMenu
        position="bottom-end"
        width={240}
        target={<IconAction label={texts.actions(name)} icon={I.Dots} variant="subtle" />}
        entries={entries}
      />
      <Confirm
        opened={isAsking}
        close={() => ask(false)}
        title={texts.closeTitle(name)}
        action={texts.close}
        run={() => change.mutate({ status: 'closed' })}
        isRunning={change.isPending}
        isDangerous
      >
        {texts.closeText}
      </Confirm>
    </>
  )
}

type NewProps = { readonly close: () => void; readonly show: (link: SetupLink) => void }

function NewTenant({ close, show }: NewProps) {
  const { tenants: texts } = useAdminTexts()
  return (
    <ActDialog
      opened
      close={close}
      title={texts.add}
      verb={texts.add}
      initial={{ name: '', domains: '' }}
      isIncomplete={({ name, domains }) => name.trim() === '' || domains.trim() === ''}
      call={({ name, domains }, intent) =>
        client.POST('/v1/admin/tenants', {
          body: { name: name.trim(), domains: domains.split(/[\s,]+/).filter(Boolean) },
          ...intent,
        })
      }
      changes={[['tenants']]}
      done={({ setup }) => show(setup)}
    >
      {({ text }) => (
        <>
          <TextInput {...text('name')} label={texts.name} required data-autofocus />
          <Textarea
            {...text('domains')}
            label={texts.domains}
            description={texts.domainsHint}
            required
            autosize
            minRows={2}
          />
        </>
      )}
    </ActDialog>
  )
}
