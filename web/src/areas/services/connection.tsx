import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../texts/index.tsx'
import { Card, Copy, Facts, Loaded } from '../../ui/index.ts'
import { connection, type ServiceDetails } from './reads.ts'

/** The location of a server, its ports, and how to reach its files: to copy. */
export function Connection({ service: { id, location: chosen } }: { service: ServiceDetails }) {
  const { services } = useTexts()
  const query = useQuery(connection(id))
  return (
    <Card title={services.connect}>
      <Loaded query={query} waiting="…">
        {({ available, ports, location, sftp }) =>
          available ? (
            <>
              <Facts
                rows={[
                  // A location that the customer chose is shown in the details instead.
                  ...(location && !chosen ? [[services.location, location] as const] : []),
                  ...(sftp
                    ? [
                        [
                          services.sftpHost,
                          <Copy
                            key="host"
                            label={services.sftpHost}
                            value={`sftp://${sftp.host}:${sftp.port}`}
                          />,
                        ] as const,
                        [
                          services.sftpUser,
                          <Copy key="user" label={services.sftpUser} value={sftp.username} />,
                        ] as const,
                      ]
                    : []),
                  ...ports.map(({ ip, alias, port }) => {
                    const value = `${alias ?? ip}:${port}`
                    const copy = <Copy key={value} label={services.port} value={value} />
                    return [services.port, copy] as const
                  }),
                ]}
              />
              {sftp ? <p className="sub">{services.sftpPassword}</p> : null}
            </>
          ) : (
            <p className="sub">{services.unavailable}</p>
          )
        }
      </Loaded>
    </Card>
  )
}
