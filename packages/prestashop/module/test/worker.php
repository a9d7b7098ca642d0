<?php
/** php worker.php FOLDER ACTION: one request to the shop. It waits at the gate, so that all requests of a race begin at the same instant. */

const RACE_WORKER = true;
require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';

Db::$folder = $argv[1];
start_request();
sign_in( 7 );
if ( 0 === strpos( $argv[2], 'owner' ) ) {
	Context::getContext()->employee = (object) array( 'id' => 7 );
}
// A page that was loaded before the race has read the order before it.
$loaded = tillkit_order_ids_of_cart( 1 );
$page   = array() === $loaded ? null : new Order( $loaded[0] );
if ( false !== strpos( $argv[2], 'without lock' ) ) {
	Hook::$off = array( 'actionOrderStatusUpdate' );
}

$gate = fopen( $argv[1] . '/gate', 'r' );
echo "ready\n";
flock( $gate, LOCK_SH );
flock( $gate, LOCK_UN );

$actions = array(
	'order without lock'     => static function (): string {
		if ( Order::getIdByCartId( 1 ) ) {
			return 'exists';
		}
		make_order();
		return 'made';
	},
	'order'                  => static function (): string {
		$order = tillkit_order_of_checkout( 1, module() );
		return null === $order ? 'none' : $order->id() . ' ' . $order->key();
	},
	'mark paid without lock' => static function () use ( $page ): string {
		return $page->setCurrentState( 2 ) ? 'recorded' : 'already';
	},
	'mark paid'              => static function (): string {
		return outcome_of( tillkit_answer_order_write( 'mark-paid', mark_paid_fields(), time() ) );
	},
	'mark paid by another'   => static function (): string {
		return outcome_of( tillkit_answer_order_write( 'mark-paid', mark_paid_fields( array( 'payment' => 'payment-b', 'transaction' => 'tx_b' ) ), time() ) );
	},
	'mark paid by next'      => static function (): string {
		return outcome_of( tillkit_answer_order_write( 'mark-paid', mark_paid_fields( array( 'payment' => 'payment-b', 'transaction' => 'tx_b', 'returned' => array( 'payment-a' ) ) ), time() ) );
	},
	'owner accepts'          => static function () use ( $page ): string {
		return $page->setCurrentState( 2 ) ? 'accepted' : 'unchanged';
	},
	'owner cancels'          => static function () use ( $page ): string {
		return $page->setCurrentState( 6 ) ? 'cancelled' : 'unchanged';
	},
);
try {
	echo $actions[ $argv[2] ]();
} catch ( Throwable $error ) {
	echo get_class( $error ) . ': ' . $error->getMessage();
}
