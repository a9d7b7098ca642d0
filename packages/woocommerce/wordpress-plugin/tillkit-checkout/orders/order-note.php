<?php
/** Adds a note of the checkout server to an order, once for each marker. */

defined( 'ABSPATH' ) || exit;

/**
 * The caller holds the lock of the order, so of two calls with the same marker the second finds the note of the first.
 *
 * @param array{order:string,key:string,marker:string,text:string} $request
 * @return array The outcome: recorded, already or gone.
 */
function tillkit_add_note( array $request ): array {
	$order = tillkit_fresh_order( (int) $request['order'] );
	if ( null === $order || ! hash_equals( (string) $order->get_order_key(), $request['key'] ) ) {
		return tillkit_note_outcome( 'gone', $request );
	}
	$is_new = tillkit_add_note_once( $order, $request['marker'], $request['text'] );
	return tillkit_note_outcome( $is_new ? 'recorded' : 'already', $request );
}

/** The meta of a note that holds its marker, where no person reads it. The REST API can only write it at the end of the note. */
const TILLKIT_NOTE_META = 'tillkit_marker';

/** @return bool False if the order has the note. */
function tillkit_add_note_once( WC_Order $order, string $marker, string $text ): bool {
	foreach ( wc_get_order_notes( array( 'order_id' => $order->get_id() ) ) as $note ) {
		$is_at_end = substr( rtrim( $note->content ), -strlen( $marker ) ) === $marker;
		if ( $is_at_end || get_comment_meta( $note->id, TILLKIT_NOTE_META, true ) === $marker ) {
			return false;
		}
	}
	update_comment_meta( $order->add_order_note( $text ), TILLKIT_NOTE_META, $marker );
	return true;
}

function tillkit_note_outcome( string $outcome, array $request ): array {
	return array(
		'outcome' => $outcome,
		'order'   => $request['order'],
		'marker'  => $request['marker'],
	);
}
