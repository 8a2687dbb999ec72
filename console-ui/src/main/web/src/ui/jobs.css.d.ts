// SPDX-License-Identifier: Apache-2.0
// Vite puts the style sheet into the page; the module has no value.
export {};
