import { lazy, Suspense, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, Card, ConfirmButton, Empty, I, Listed } from '../../../ui/index.ts'
import { MAPPINGS, type Mapping, useSources } from './sources.ts'

// The lists to choose from weigh more than the rest of the screen.
const MappingDialog = lazy(async () => ({
  default: (await import('./mapping-dialog.tsx')).MappingDialog,
}))

/** The conditions that give members a role on Discord. */
export function MappingsCard() {
  const { integrations: texts } = useAdminTexts()
  const mayWrite = useMay()('bot:write')
  const [editing, edit] = useState<Mapping | 'new' | null>(null)
  const list = useList<Mapping>(MAPPINGS, (where, signal) =>
    client.GET('/v1/admin/bot/role-mappings', { params: { query: where }, signal }),
  )
  return (
    <Card
      title={texts.mappings}
      right={
        mayWrite ? (
          <Button size="compact-sm" variant="default" onClick={() => edit('new')}>
            {texts.addMapping}
          </Button>
        ) : null
      }
    >
      <p className="sub">{texts.mappingsText}</p>
      <Listed list={list} empty={<Empty icon={I.Robot} title={texts.noMappings} />}>
        {(rows) => (
          <ul className="methods">
            {rows.map((row) => (
              <Row key={row.id} mapping={row} edit={mayWrite ? () => edit(row) : null} />
            ))}
          </ul>
        )}
      </Listed>
      {editing ? (
        <Suspense>
          <MappingDialog mapping={editing === 'new' ? null : editing} close={() => edit(null)} />
        </Suspense>
      ) : null}
    </Card>
  )
}

function Row({ mapping, edit }: { mapping: Mapping; edit: (() => void) | null }) {
  const { integrations: texts } = useAdminTexts()
  const { id, source, sourceId, discordGuildId, discordRoleId } = mapping
  const known = useSources()[source]?.find(({ value }) => value === sourceId)?.label
  // The name of an archived object, or of one that the reader may not see, is not known.
  const name = [texts.mappingSources[source], known ?? sourceId?.slice(0, 8)]
    .filter(Boolean)
    .join(': ')
  return (
    <li>
      <span className="grow">
        {edit ? (
          <button type="button" className="plain-link strong" onClick={edit}>
            {name}
          </button>
        ) : (
          name
        )}
        <span className="sub block">{texts.mappedTo(discordRoleId, discordGuildId)}</span>
      </span>
      {edit ? (
        <ConfirmButton
          isDangerous
          size="compact-sm"
          variant="default"
          verb={texts.remove}
          label={texts.removeMapping(name)}
          title={texts.removeMapping(name)}
          call={() =>
            client.DELETE('/v1/admin/bot/role-mappings/{id}', { params: { path: { id } } })
          }
          changes={[MAPPINGS]}
          told={texts.mappingRemoved}
        >
          {texts.removeMappingText}
        </ConfirmButton>
      ) : null}
    </li>
  )
}
