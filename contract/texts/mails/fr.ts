import type { MailTexts } from './en.ts'

export const mails: MailTexts = {
  subjectOfShop: '{subject}\u00a0: {shop}',
  next: 'Et maintenant\u00a0?',
  questions: 'Des questions\u00a0? Répondez à cet e-mail ou écrivez à',
  testOrder: {
    notice:
      'Ceci est une commande de test\u00a0: aucun argent n’a été prélevé et rien ne sera livré.',
    meantFor:
      'Cet e-mail était destiné à {address}. Les e-mails des commandes de test vont à la boutique, jamais à un acheteur.',
  },
  testPayment: {
    notice:
      'Ceci est un paiement de test\u00a0: aucun argent n’a été prélevé et rien ne sera livré.',
    meantFor:
      'Cet e-mail était destiné à {address}. Les e-mails des paiements de test vont à la boutique, jamais à un acheteur.',
  },
  labels: {
    orderNumber: 'Numéro de commande',
    quantity: 'Quantité\u00a0: {count}',
    subtotal: 'Sous-total',
    shipping: 'Livraison',
    free: 'Gratuite',
    total: 'Total ({currency})',
    vat: 'Dont TVA {rate}\u00a0%',
    shippingAddress: 'Adresse de livraison',
    pickupAt: 'Retrait à',
    pickupHours: 'Horaires d’ouverture',
    billingAddress: 'Adresse de facturation',
    payment: 'Paiement',
    card: 'Carte',
    seller: 'Vendeur',
    vatNumber: 'Numéro de TVA {number}',
    parcel: 'Colis',
    trackingNumber: 'Numéro de suivi {number}',
    product: 'Produit',
    price: 'Prix',
  },
  buttons: {
    viewOrder: 'Voir votre commande',
    track: 'Suivre votre colis',
    buyAgain: 'Acheter à nouveau',
  },
  confirmation: {
    subject: 'Votre commande chez {shop} est confirmée',
    preview: '{product}, {price}. Nous préparons votre commande.',
    title: 'Merci\u00a0!',
    confirmed: 'Votre commande est confirmée.',
    paid: 'Votre commande est confirmée et payée.',
    getReady: 'Nous préparons votre commande et l’envoyons à l’adresse ci-dessus.',
    getReadyForPickup:
      'Nous préparons votre commande et vous écrivons dès que vous pouvez la retirer.',
    link: 'Le lien ci-dessous montre où en est votre commande. Il est valable {days} jours.',
    keep: 'Conservez cet e-mail. Le numéro de commande nous suffit pour vous aider.',
    returnedSubjects: {
      refund: 'Votre commande chez {shop} a été remboursée',
      chargeback: 'Votre banque a repris le paiement de votre commande chez {shop}',
      both: 'Le paiement de votre commande chez {shop} a été remboursé et repris par votre banque',
    },
  },
  shipped: {
    subject: 'Votre commande chez {shop} est en chemin',
    preview: '{product} vous a été envoyé.',
    title: 'En chemin',
    lead: 'Votre colis a été remis au transporteur.',
    testLead: 'Voici comment un acheteur apprend qu’un colis est en chemin.',
    tracking: 'Un jour peut passer avant que le transporteur n’indique où est le colis.',
    link: 'La page de votre commande montre où elle en est. Son lien est valable {days} jours.',
  },
  readyForPickup: {
    subject: 'Votre commande chez {shop} est prête à être retirée',
    preview: '{product} vous attend.',
    title: 'Prête à être retirée',
    lead: 'Votre commande est prête. Vous pouvez la retirer à l’adresse ci-dessous.',
    testLead: 'Voici comment un acheteur apprend qu’une commande est prête à être retirée.',
    bring: 'Veuillez apporter le numéro de commande.',
  },
  unshipped: {
    subject: 'Rectification au sujet de votre commande chez {shop}',
    preview: 'Ce que nous avons écrit au sujet de {product} était prématuré.',
    title: 'Rectification',
    notSent:
      'Nous vous avons écrit que votre commande est en route. C’était inexact\u00a0: elle n’est pas encore partie.',
    notReady:
      'Nous vous avons écrit que votre commande est prête à être retirée. C’était inexact\u00a0: ne venez pas avant notre prochain message.',
  },
  refunded: {
    subject: 'Remboursement de {amount}\u00a0: votre commande chez {shop}',
    title: 'Votre remboursement',
    lead: '{amount} sont revenus sur votre carte.',
    testLead:
      '{amount} de cette commande de test sont considérés comme rendus. Aucun argent n’a circulé.',
    statement: 'Quelques jours peuvent passer avant que votre relevé de carte ne l’indique.',
    leadOtherwise: '{amount} sont revenus par le moyen de paiement utilisé.',
    statementOtherwise: 'Quelques jours peuvent passer avant que vous ne l’y voyiez.',
  },
  sale: {
    noOrder: 'Aucune commande n’a été créée et rien ne sera envoyé.',
    askShop: 'Des questions\u00a0? Adressez-vous à la boutique où vous vouliez acheter',
  },
  'payment-returned': {
    subject: 'Votre paiement vous a été rendu',
    testLead: 'Le paiement a été rendu, autant que le permet un test.',
  },
  'not-charged': {
    subject: 'Votre carte n’a pas été débitée',
    subjectOtherwise: 'Rien n’a été débité',
    lead: 'Nous avons examiné votre paiement\u00a0: rien n’a été débité.',
    buyAgain: 'Si vous souhaitez toujours ce produit, vous pouvez l’acheter à nouveau.',
  },
  'payment-closed': {
    subject: 'Votre paiement a été examiné',
    lead: 'La boutique a examiné votre paiement. Aucune commande n’en a été créée.',
    ask: 'Si votre relevé de carte indique le montant, ou si vous attendez une livraison, adressez-vous à la boutique.',
    askOtherwise:
      'Si vous voyez que le montant a été débité, ou si vous attendez une livraison, adressez-vous à la boutique.',
    keep: 'Conservez cet e-mail\u00a0: il indique ce que vous vouliez acheter.',
  },
  withdrawal: {
    subject: 'Nous avons reçu votre rétractation',
    lead: 'Nous avons reçu votre déclaration de rétractation d’un achat.',
    yourStatement: 'Votre déclaration',
    statement:
      'Je vous notifie par la présente ma rétractation du contrat de vente portant sur la commande indiquée ici.',
    name: 'Nom',
    email: 'E-mail',
    received: 'Reçue le',
    notQuoted: 'tel que vous l’avez saisi',
    keep: 'Conservez cet e-mail\u00a0: il montre ce que vous avez déclaré, et quand.',
    receiptOnly:
      'Il confirme seulement la réception. La boutique examine ensuite votre rétractation.',
    notYou: 'Si vous n’avez pas fait cette déclaration, veuillez le signaler à la boutique.',
    online:
      'Vous pouvez vous rétracter en ligne\u00a0: choisissez «\u00a0{here}\u00a0» ci-dessous ou sur la page de votre commande.',
  },
}
