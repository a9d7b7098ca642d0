<?php
/** Adds a note of the checkout server to an order, once for each marker. */

defined( 'ABSPATH' ) || exit;

/**
 * Null if a field is missing or invalid.
 *
 * @return array{order:string,key:string,marker:string,text:string}|null
 */
function tillkit_read_note_request( array $body ): ?array {
	return tillkit_read_fields(
		$body,
		array(
			'order'  => '/^[1-9][0-9]{0,18}\z/',
			'key'    => '/^[A-Za-z0-9_-]{1,100}\z/',
			'marker' => '/^\[tillkit (hold|note) [0-9a-f]{12}\]\z/',
			'text'   => '/^[^\x00]{1,4000}\z/u',
		)
	);
}

/**
 * The caller holds the lock of the order, so of two calls with the same marker the second finds the note of the first.
 *
 * @return array The outcome: recorded, already or gone.
 */
function tillkit_add_note( array $request ): array {
	$order = tillkit_fresh_order( (int) $request['order'] );
	if ( null === $order || ! hash_equals( (string) $order->get_order_key(), $request['key'] ) ) {
		return tillkit_note_outcome( 'gone', $request );
	}
	foreach ( wc_get_order_notes( array( 'order_id' => $order->get_id() ) ) as $note ) {
		if ( substr( rtrim( $note->content ), -strlen( $request['marker'] ) ) === $request['marker'] ) {
			return tillkit_note_outcome( 'already', $request );
		}
	}
	$order->add_order_note( $request['text'] . ' ' . $request['marker'] );
	return tillkit_note_outcome( 'recorded', $request );
}

function tillkit_note_outcome( string $outcome, array $request ): array {
	return array(
		'outcome' => $outcome,
		'order'   => $request['order'],
		'marker'  => $request['marker'],
	);
}
