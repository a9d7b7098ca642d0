<?php
/** The notes of an order for its owner. The shop has one note for each order, where the owner's own would lose ours. */

defined( '_PS_VERSION_' ) || exit;

/** How many notes the order page shows. */
const TILLKIT_SHOWN_NOTES = 50;

/** @return bool False if the order has that note already. @param string $marker Makes a note that is added once. */
function tillkit_store_note( int $order_id, string $text, string $marker = '' ): bool {
	$id = '' === $marker ? bin2hex( random_bytes( 16 ) ) : md5( "$order_id $marker" );
	return 1 === tillkit_change_rows( 'INSERT IGNORE INTO `' . _DB_PREFIX_ . "tillkit_note` (`id_note`, `id_order`, `at`, `text`) VALUES ('$id', $order_id, " . time() . ', ' . tillkit_sql( $text ) . ')' );
}

/** @return array<int,array{at:int,text:string}> The oldest first. */
function tillkit_notes( int $order_id ): array {
	$rows = tillkit_select( 'SELECT `at`, `text` FROM `' . _DB_PREFIX_ . "tillkit_note` WHERE `id_order` = $order_id ORDER BY `at` DESC LIMIT " . TILLKIT_SHOWN_NOTES );
	return array_map(
		static function ( array $row ): array {
			return array( 'at' => (int) $row['at'], 'text' => (string) $row['text'] );
		},
		array_reverse( $rows )
	);
}

/** Answers `note`. The caller holds the lock of the order. */
function tillkit_add_note( array $request ): array {
	$order = tillkit_order_of_call( $request );
	$added = null !== $order && tillkit_store_note( (int) $order->id(), $request['text'], $request['marker'] );
	if ( $added && '' !== $request['attention'] ) {
		$order->write_facts( array( 'attention' => $request['attention'] ) );
	}
	return array(
		'outcome' => null === $order ? 'gone' : ( $added ? 'recorded' : 'already' ),
		'order'   => $request['order'],
		'marker'  => $request['marker'],
	);
}
