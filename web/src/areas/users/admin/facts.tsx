import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Card, Loaded, RemoveButton } from '../../../ui/index.ts'
import { factsKey, factsOf } from './reads.ts'

/** Whether a field of the old system holds the id of a Discord account, which is a number of 17 to 20 digits. */
function isDiscordId(label: string, text: string): boolean {
  return /discord/i.test(label) && /^\d{17,20}$/.test(text)
}

/** Facts about a person from the system that they were imported from; renders nothing if there are none. */
export function ImportedFacts({ userId }: { userId: string }) {
  const { people } = useAdminTexts()
  const mayWrite = useMay()('users:write')
  return (
    <Loaded query={useQuery(factsOf(userId))} waiting={null}>
      {({ data }) =>
        data.length === 0 ? null : (
          <Card title={people.facts}>
            <ul className="stack">
              {data.map(({ id, label, text }) => (
                <li key={id}>
                  <div className="row between wrap">
                    <span className="sub">{label}</span>
                    {mayWrite ? (
                      <RemoveButton
                        size="compact-xs"
                        verb={people.removeNote}
                        label={people.removeFactOf(label)}
                        title={people.removeFactTitle}
                        call={() =>
                          client.DELETE('/v1/admin/users/{id}/facts/{factId}', {
                            params: { path: { id: userId, factId: id } },
                          })
                        }
                        changes={[factsKey(userId)]}
                        told={people.factRemoved}
                      >
                        {text}
                      </RemoveButton>
                    ) : null}
                  </div>
                  <p className="typed">
                    {isDiscordId(label, text) ? (
                      <a
                        href={`https://discord.com/users/${text}`}
                        target="_blank"
                        rel="noreferrer"
                      >
                        {text}
                      </a>
                    ) : (
                      text
                    )}
                  </p>
                </li>
              ))}
            </ul>
          </Card>
        )
      }
    </Loaded>
  )
}
