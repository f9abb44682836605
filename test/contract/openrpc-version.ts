/** What stands for the product's version in the accepted contract, so that a release alone changes nothing in it. */
export const CONTRACT_VERSION = "accepted";
