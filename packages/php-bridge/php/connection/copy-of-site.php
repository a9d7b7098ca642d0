<?php
/**
 * A copy of the site, such as a staging site, has the link secret of the original, and its refunds would be real. The checkout server
 * recognises it by its address and refuses what only the original may do, until the owner says what this site is.
 */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

/**
 * Remembers what the checkout server takes this site for. A missing answer proves nothing.
 *
 * @param array|Tillkit_Error $answer Of the checkout server.
 */
function tillkit_remember_original( $answer ): void {
	$original = tillkit_text_field( $answer instanceof Tillkit_Error ? $answer->data : $answer, 'copy_of' );
	if ( '' !== $original ) {
		tillkit_host()->save( 'copy_of', $original );
	} elseif ( ! $answer instanceof Tillkit_Error && null !== tillkit_host()->load( 'copy_of' ) ) {
		tillkit_host()->save( 'copy_of', null );
	}
}

/** Empty for a site that is no copy. */
function tillkit_copy_text(): string {
	$original = (string) tillkit_host()->load( 'copy_of' );
	/* translators: %s: the address of a site, such as shop.example */
	return '' === $original ? '' : sprintf( tillkit_text( 'This looks like a copy of %s. Nothing is refunded, decided, exported or erased from here until you say what this site is.' ), $original );
}

/**
 * @param string $what moved or copy
 * @return array|Tillkit_Error
 */
function tillkit_say_installation( string $what ) {
	return tillkit_call_checkout_server(
		'installation',
		array(
			'answer'   => $what,
			'by'       => tillkit_host()->actor(),
			'language' => tillkit_host()->language(),
		)
	);
}

/** The copy forgets the secret of the original even where the checkout server does not answer. It gets a connection of its own. */
function tillkit_end_copied_connection(): void {
	tillkit_say_installation( 'copy' );
	tillkit_host()->change_settings(
		array(
			'store' => '',
			'test'  => true,
		)
	);
	tillkit_host()->save( 'link_secrets', null );
	tillkit_host()->save( 'copy_of', null );
}
