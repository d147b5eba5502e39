const customers = (count: number) => (count === 1 ? 'One customer' : `${count} customers`)

export const incidents = {
  list: 'Incidents and maintenance',
  sub: 'What the status page shows, and what customers with affected services are notified of.',
  add: { incident: 'Report an incident', maintenance: 'Plan maintenance' },
  addTitle: { incident: 'Report an incident', maintenance: 'Plan maintenance' },
  addDraft: 'Create the draft',
  draftHint:
    'A draft is only visible to staff. On its page you see how many customers it affects, and publish it.',
  none: 'No incidents yet',
  noneText: 'Incidents that you report and maintenance that you plan appear here.',
  show: 'Show',
  shows: { open: 'Ongoing and planned', draft: 'Drafts', over: 'Past' },
  kind: 'Kind',
  kinds: { incident: 'Incident', maintenance: 'Maintenance' },
  title: 'Title',
  text: 'Text',
  firstText: 'First update',
  addLanguage: 'Add another language',
  languagesHint:
    'One language is enough. Readers of other languages read the language of the shop, else English, else the first one. Plain text; an empty line begins a paragraph.',
  impact: 'Impact',
  impactHint: 'The status page and its summary show it.',
  impacts: { none: 'No impact', minor: 'Minor', major: 'Major', critical: 'Critical' },
  times: (timeZone: string) => `Times (${timeZone})`,
  begins: 'Begins',
  began: 'Began',
  beganHint: 'Empty means now.',
  ends: 'Planned end',
  endsBefore: 'The end must be after the begin.',
  ended: 'End',
  publicTimes: (from: string, to: string) =>
    `The status page and e-mails say: ${from} to ${to}. It begins and ends at these times without an update.`,
  maintenanceHint:
    'It begins and ends at these times without an update. It is announced at least 24 hours before it begins, unless it is urgent.',
  affected: 'Affected services',
  locations: 'Locations',
  locationsHint: 'Customers read the public name of a location.',
  panels: 'Panels',
  panelsHint: 'All services of a panel. Customers never read its name.',
  products: 'Products',
  productsHint: 'Customers read the name of a product.',
  needsMore:
    'Locations and panels can be chosen with the permission nodes:read, products with store:read.',
  archived: 'Archived',
  publicNames: (names: string): string =>
    names === ''
      ? 'The status page names the chosen locations and products.'
      : `The status page names as affected: ${names}`,
  publicGameServers: 'The status page names as affected: Game servers',
  publicNothing:
    'Nothing is chosen: the status page names nothing as affected, and no customer is notified.',
  edit: 'Edit',
  editHint:
    'Customers see changes at once and are not notified of them. Only customers who are newly affected are notified of the first update, if the others were.',
  save: 'Save',
  saved: 'Saved',
  publish: 'Publish',
  publishTitle: 'Publish with a first update',
  publishHint:
    'The title and this text appear on the status page, in its feed and in webhooks, and in the customer area of those affected.',
  publishAsk: 'Publish it?',
  published: 'Published',
  updateTitle: 'Write an update',
  updateHint:
    'It appears on the status page, in its feed and in webhooks, and in the customer area of those affected.',
  updateAsk: 'Publish this update?',
  addUpdate: 'Publish the update',
  updated: 'The update is published',
  isPublic: 'Everyone can read it at once. It cannot be changed or withdrawn.',
  isLast: 'It ends here: no further update can follow.',
  state: 'Status',
  incidentState: '“Resolved” ends the incident.',
  maintenanceState: 'Its times decide. “Completed” ends it now, “Canceled” cancels it.',
  urgent: 'Announce it although it begins in less than 24 hours',
  urgentHint: 'Otherwise change its times.',
  notify: 'Notify the affected customers',
  reaches: (count: number): string =>
    count === 0
      ? 'No customer owns an affected service at the moment.'
      : `${customers(count)} ${count === 1 ? 'owns' : 'own'} an affected service at the moment. Each is notified once: in the product, by e-mail and on Discord, as their preferences allow.`,
  notNotified: 'No customer is notified.',
  notifying: (count: number) => `${customers(count)} notified so far`,
  notified: (count: number) =>
    count === 0 ? 'No customer notified' : `${customers(count)} notified`,
  endedMeanwhile: 'It ended before this update was published',
  endedMeanwhileText: 'Copy the text if you need it for another incident.',
  seePage: 'View the page',
  remove: 'Delete the draft',
  removeTitle: 'Delete this draft?',
  removeText: 'Customers have not seen it.',
  removed: 'The draft was deleted',
  updates: 'Updates',
  alsoIn: (languages: string) => `Also written in: ${languages}`,
  details: 'Details',
  publishedAt: 'Published',
  customers: 'Customers affected now',
}
