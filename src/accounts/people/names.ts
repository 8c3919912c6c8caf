/** Returns what a person is called on pages: the name they gave, else their address. */
export const calledPerson = ({ name, email }: { name: string; email: string }): string => name || email
