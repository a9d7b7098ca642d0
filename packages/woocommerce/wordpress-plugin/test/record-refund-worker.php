<?php
/** php record-refund-worker.php FOLDER LOCKS [AMOUNT HOOK]: a process that records one refund in the shop whose database is in FOLDER, or dies at that hook. */

require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';

Shop_State::$folder = $argv[1];
Stubs::$locks       = $argv[2];
if ( isset( $argv[4] ) ) {
	add_action(
		$argv[4],
		static function (): void {
			exit( 9 );
		}
	);
}
$request  = record_refund_request( isset( $argv[3] ) ? array( 'amount' => $argv[3] ) : array() );
$response = tillkit_answer_request( 'record-refund', signed_request( 'record-refund', json_encode( $request ) ) );
echo json_encode( $response->data );
