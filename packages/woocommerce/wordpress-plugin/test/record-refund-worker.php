<?php
/** php record-refund-worker.php FOLDER LOCKS: a process that records one refund in the shop whose database is in FOLDER. */

require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';

Shop_State::$folder = $argv[1];
Stubs::$locks       = $argv[2];
$response           = tillkit_answer_record_refund( signed_request( 'record-refund', json_encode( record_refund_request() ) ) );
echo json_encode( $response->data );
