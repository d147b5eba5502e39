import { languageName } from '@moorage/languages'
import { useQuery } from '@tanstack/react-query'
import { useAdminTexts } from '../../../../texts/admin.tsx'
import { Card, Link, Loaded, Page, Table, Tag } from '../../../../ui/index.ts'
import { type TemplateSummary, templates } from './reads.ts'

/** The kinds of mail whose text staff can change. */
export function MailTemplates() {
  const { mails } = useAdminTexts()
  const { templates: texts } = mails
  return (
    <Page title={texts.title} sub={texts.sub}>
      <Loaded query={useQuery(templates)}>
        {({ data }) => (
          <Card flush>
            <Table
              caption={texts.title}
              rows={data}
              rowKey={({ kind }) => kind}
              links
              columns={[
                {
                  head: mails.kind,
                  cell: ({ kind, name }) => (
                    <Link to="/admin/mails/texts/$kind" params={{ kind }} className="rowlink">
                      {name}
                    </Link>
                  ),
                },
                { head: texts.yours, small: 'sub', cell: (it) => <Languages of={it} /> },
                {
                  head: mails.state,
                  small: 'second',
                  cell: ({ unused }) =>
                    unused.length > 0 ? <Tag tone="attention">{texts.unused}</Tag> : null,
                },
              ]}
            />
          </Card>
        )}
      </Loaded>
    </Page>
  )
}

function Languages({ of: { languages } }: { of: TemplateSummary }) {
  const { mails } = useAdminTexts()
  if (languages.length === 0) return <span className="dim">{mails.templates.standard}</span>
  return languages.map(languageName).join(', ')
}
