import type { AdminTexts } from '../admin.tsx'

export const replies: AdminTexts['replies'] = {
  savedRepliesText: 'Des textes pour vos réponses, et ce que devient le ticket à leur envoi.',
  savedReply: 'Réponse enregistrée',
  findReply: 'Chercher une réponse enregistrée',
  noReplyFound: 'Aucune réponse enregistrée de ce nom',
  addReply: 'Nouvelle réponse enregistrée',
  noReplies: 'Aucune réponse enregistrée ici',
  noRepliesText: 'Enregistrez un texte que vous envoyez souvent.',
  replyText: 'Texte',
  replyTextHint:
    'Une seule langue suffit. Un ticket utilise la langue de son client, sinon celle de la boutique.',
  addLanguage: 'Ajouter une langue',
  usedBy: 'Utilisée par',
  sharedReply: 'Toute l’équipe',
  ownReply: 'Moi seulement',
  shareReply: 'Toute l’équipe l’utilise',
  shareReplyHint: 'Sinon, vous seul la voyez. Ce choix ne peut pas être modifié ensuite.',
  show: 'Afficher',
  replyArchived: 'La réponse enregistrée est archivée',
  archiveReplyText: 'Elle ne peut plus être utilisée. Vous pourrez la restaurer.',
  placeholdersTitle: 'Variables',
  placeholders: {
    'customer.firstName': 'prénom du client',
    'customer.name': 'nom du client',
    'ticket.number': 'numéro du ticket',
    'service.name': 'nom du service',
    'staff.firstName': 'votre prénom, ou le département',
    'shop.name': 'nom de la boutique',
  },
  samples: {
    'customer.firstName': 'Ada',
    'customer.name': 'Ada Lovelace',
    'ticket.number': 'T-7K3M9QXA',
    'service.name': 'Survie',
    'staff.firstName': 'Grace',
    'shop.name': 'Castle Hosting',
  },
  preview: 'Aperçu',
  missing: 'Sans valeur pour ce ticket. Relisez le texte :',
  whenSent: 'À l’envoi',
  willBe: (next, hours) =>
    next === 'answered'
      ? 'Répondu'
      : next === 'close'
        ? 'Fermé'
        : hours === null
          ? 'Mis en pause'
          : `Mis en pause pendant ${hours} ${hours === 1 ? 'heure' : 'heures'}`,
  tagsAdded: (tags) => `Étiquettes ajoutées : ${tags}`,
  removeAction: (action) => `Ne pas faire : ${action}`,
  onlyFor: 'Seulement pour les départements',
  allDepartments: 'Tous les départements',
  unchanged: 'Inchangé',
  holdHours: 'Heures de pause',
  toAuthor: 'Auteur de la réponse',
  someone: 'Ancien membre de l’équipe',
  moveTo: 'Déplacer vers le département',
  addTags: 'Étiquettes à ajouter',
  tagsHint: 'Visibles par l’équipe seulement. Entrée ajoute une étiquette.',
  tagged: (tags) => `Étiquettes : ${tags}`,
  untagged: 'Toutes les étiquettes retirées',
  keys: 'Touches : R répondre, N note, S réponse enregistrée, A me l’attribuer, H mettre en pause, C fermer, O rouvrir, Ctrl+Entrée envoyer',
}
