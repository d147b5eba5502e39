import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import {
  ArchivedCard,
  Button,
  Card,
  Empty,
  I,
  Loaded,
  Page,
  Sortable,
  Tag,
  told,
  useChange,
} from '../../../ui/index.ts'
import { type OptionGroup, optionGroups, optionsOf, type ShopOption } from './reads.ts'

const OptionDialog = lazy(async () => ({
  default: (await import('./option-dialog.tsx')).OptionDialog,
}))
const OptionGroupDialog = lazy(async () => ({
  default: (await import('./option-group-dialog.tsx')).OptionGroupDialog,
}))

/** The groups of options that are offered with products. */
export function Options() {
  const { options: texts } = useAdminTexts()
  const mayWrite = useMay()('store:write')
  const [editing, edit] = useState<OptionGroup | 'new' | null>(null)
  return (
    <Page
      title={texts.title}
      sub={texts.sub}
      actions={
        mayWrite ? (
          <Button leftSection={<I.Plus size={16} aria-hidden />} onClick={() => edit('new')}>
            {texts.add}
          </Button>
        ) : null
      }
    >
      <div className="stack s24">
        <Loaded query={useQuery(optionGroups)}>
          {(groups) =>
            groups.length === 0 ? (
              <Card>
                <Empty icon={I.Adjustments} title={texts.none}>
                  {texts.noneText}
                </Empty>
              </Card>
            ) : (
              <div className="stack s24">
                {groups.map((group) => (
                  <Group key={group.id} group={group} edit={mayWrite ? () => edit(group) : null} />
                ))}
              </div>
            )
          }
        </Loaded>
        <ArchivedGroups />
        <ArchivedOptions />
      </div>
      {editing ? (
        <Suspense>
          <OptionGroupDialog group={editing === 'new' ? null : editing} close={() => edit(null)} />
        </Suspense>
      ) : null}
    </Page>
  )
}

/** A group with its options in their order. */
function Group({ group, edit }: { group: OptionGroup; edit: (() => void) | null }) {
  const { options: texts } = useAdminTexts()
  const [editing, change] = useState<ShopOption | 'new' | null>(null)
  return (
    <Card
      title={
        <>
          {group.name} <span className="sub">{texts.products(group.productIds.length)}</span>
        </>
      }
      right={
        edit ? (
          <div className="row">
            <Button
              size="compact-sm"
              variant="default"
              aria-label={texts.edit(group.name)}
              onClick={edit}
            >
              {texts.change}
            </Button>
            <Button
              size="compact-sm"
              aria-label={texts.addOptionTo(group.name)}
              onClick={() => change('new')}
            >
              {texts.addOption}
            </Button>
          </div>
        ) : null
      }
    >
      <Loaded query={useQuery(optionsOf(group.id))}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="sub">{texts.noOptions}</p>
          ) : (
            <Sortable
              rows={rows}
              label={group.name}
              place={
                edit
                  ? ({ id, position }) =>
                      client.PATCH('/v1/admin/options/{id}', {
                        params: { path: { id } },
                        body: { position },
                      })
                  : null
              }
              changes={[['options']]}
            >
              {(option) => <Row option={option} edit={edit ? () => change(option) : null} />}
            </Sortable>
          )
        }
      </Loaded>
      {editing ? (
        <Suspense>
          <OptionDialog
            group={group}
            option={editing === 'new' ? null : editing}
            close={() => change(null)}
          />
        </Suspense>
      ) : null}
    </Card>
  )
}

function Row({ option, edit }: { option: ShopOption; edit: (() => void) | null }) {
  const { options: texts } = useAdminTexts()
  return (
    <div className="option-row row between">
      <span>
        {edit ? (
          <button
            type="button"
            className="rowlink"
            aria-label={texts.edit(option.name)}
            onClick={edit}
          >
            {option.name}
          </button>
        ) : (
          option.name
        )}
        <span className="sub block">{texts.kinds[option.kind]}</span>
      </span>
      {option.warnings.length > 0 ? <Tag tone="attention">{texts.cliff}</Tag> : null}
    </div>
  )
}

/** The archived groups, each of which can be offered again with its options. */
function ArchivedGroups() {
  const { options: texts } = useAdminTexts()
  const mayWrite = useMay()('store:write')
  const list = useList(['options', 'archived-groups'], (where, signal) =>
    client.GET('/v1/admin/option-groups', {
      params: { query: { archived: true, limit: 50, ...where } },
      signal,
    }),
  )
  const restore = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/option-groups/{id}/restore', { params: { path: { id } }, ...intent }),
    {
      changes: [['options'], ['products']],
      done: ({ name }) => told(texts.restored(name)),
    },
  )
  return (
    <ArchivedCard
      texts={{ ...texts, archived: texts.archivedGroups }}
      list={list}
      restore={mayWrite ? restore : null}
      below={({ optionIds, options }) =>
        options
          .filter(({ id }) => optionIds.includes(id))
          .map(({ name }) => name)
          .join(', ')
      }
    />
  )
}

/** The archived options; those of an archived group can be restored with it or after it. */
function ArchivedOptions() {
  const { options: texts } = useAdminTexts()
  const mayWrite = useMay()('store:write')
  const groups = useQuery(optionGroups).data ?? []
  const groupOf = ({ groupId }: ShopOption) => groups.find(({ id }) => id === groupId)
  const list = useList(['options', 'archived'], (where, signal) =>
    client.GET('/v1/admin/options', {
      params: { query: { archived: true, limit: 50, ...where } },
      signal,
    }),
  )
  const restore = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/options/{id}/restore', { params: { path: { id } }, ...intent }),
    {
      changes: [['options'], ['products']],
      done: ({ name }) => told(texts.restored(name)),
    },
  )
  return (
    <ArchivedCard
      texts={{ ...texts, archived: texts.archivedOptions }}
      list={list}
      restore={mayWrite ? restore : null}
      below={(option) => groupOf(option)?.name ?? texts.inArchivedGroup}
      isHeld={(option) => !groupOf(option)}
    />
  )
}
