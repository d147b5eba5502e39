export const replies = {
  savedRepliesText: 'Texts for your answers, and what happens to the ticket when they are sent.',
  savedReply: 'Saved reply',
  findReply: 'Find a saved reply',
  noReplyFound: 'No saved reply with this name',
  addReply: 'New saved reply',
  noReplies: 'No saved replies here',
  noRepliesText: 'Save a text that you send often.',
  replyText: 'Text',
  replyTextHint:
    'One language is enough. A ticket uses the language of its customer, else that of the shop.',
  addLanguage: 'Add a language',
  usedBy: 'Used by',
  sharedReply: 'All staff',
  ownReply: 'Only me',
  shareReply: 'All staff use it',
  shareReplyHint: 'Otherwise only you see it. This cannot be changed later.',
  show: 'Show',
  replyArchived: 'The saved reply is archived',
  archiveReplyText: 'It can no longer be used. You can restore it.',
  placeholdersTitle: 'Placeholders',
  placeholders: {
    'customer.firstName': 'first name of the customer',
    'customer.name': 'name of the customer',
    'ticket.number': 'number of the ticket',
    'service.name': 'name of the service',
    'staff.firstName': 'your first name, or the department',
    'shop.name': 'name of the shop',
  },
  samples: {
    'customer.firstName': 'Ada',
    'customer.name': 'Ada Lovelace',
    'ticket.number': 'T-7K3M9QXA',
    'service.name': 'Survival',
    'staff.firstName': 'Grace',
    'shop.name': 'Castle Hosting',
  },
  preview: 'Preview',
  missing: 'No value on this ticket. Check the text:',
  whenSent: 'When it is sent',
  willBe: (next: 'answered' | 'hold' | 'close', hours: number | null) =>
    next === 'answered'
      ? 'Answered'
      : next === 'close'
        ? 'Closed'
        : hours === null
          ? 'Put on hold'
          : `Put on hold for ${hours} ${hours === 1 ? 'hour' : 'hours'}`,
  tagsAdded: (tags: string) => `Tags added: ${tags}`,
  removeAction: (action: string) => `Do not do this: ${action}`,
  onlyFor: 'Only for the departments',
  allDepartments: 'All departments',
  unchanged: 'Unchanged',
  holdHours: 'Hours on hold',
  toAuthor: 'Author of the answer',
  someone: 'Former member of staff',
  moveTo: 'Move to the department',
  addTags: 'Tags to add',
  tagsHint: 'Only staff see them. Enter adds a tag.',
  tagged: (tags: string) => `Tags: ${tags}`,
  untagged: 'All tags removed',
  keys: 'Keys: R answer, N note, S saved reply, A assign to me, H hold, C close, O reopen, Ctrl+Enter send',
}
