import fc from "fast-check";

// The same cases with a guard and without it. A failure need not be made smaller.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1, endOnFailure: true });
